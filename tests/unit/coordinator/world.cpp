#include "tests/unit/coordinator/world.hpp"

#include <algorithm>

#include "shared/contract/codec.hpp"
#include "shared/contract/version.hpp"
#include "shared/support/concat.hpp"

namespace baton {

CoordinatorConfig test_config() {
  CoordinatorConfig config;
  config.session = 77;
  config.incarnation = 1;
  config.shm_directory = "/dev/shm/test";
  config.cache_directory = "/tmp/test";
  config.fill_deadline = Milliseconds(1000);
  config.prove_deadline = Milliseconds(1000);
  config.prepare_deadline = Milliseconds(1000);
  config.cancel_grace = Milliseconds(100);
  config.backoff_base = Milliseconds(10);
  config.backoff_limit = Milliseconds(100);
  config.memory_budget = 64u << 20;
  return config;
}

World::World(CoordinatorConfig config)
    : config_(config), brain_(std::make_unique<Coordinator>(std::move(config))) {
  Actions actions;
  brain_->adopt(*ledger_, {}, now_, actions);
}

FakeWorker& World::start(WorkerRole role, std::uint32_t lanes) {
  FakeWorker& worker = *workers_.emplace_back(std::make_unique<FakeWorker>());
  worker.role = role;
  worker.lanes = lanes;
  worker.pid = ++last_pid_;
  worker.nonce = ++last_nonce_;
  hello(worker);
  return worker;
}

void World::hello(FakeWorker& worker) {
  peers_.erase(worker.peer);
  worker.inbox.clear();
  worker.peer =
      concat(to_string(worker.role), "-", worker.pid, "-", worker.nonce, "-", ++worker.announcement);
  worker.incarnation = 0;
  worker.connected = true;
  peers_[worker.peer] = &worker;
  wire::Envelope message;
  message.set_session(worker.session);
  wire::Hello& hello = *message.mutable_hello();
  hello.set_role(worker.role == WorkerRole::kGpu ? wire::ROLE_GPU : wire::ROLE_SYNTH);
  hello.set_layout_version(kLayoutVersion);
  hello.set_build_fingerprint(kBuildFingerprint);
  hello.set_pid(worker.pid);
  hello.set_start_time(worker.pid);
  hello.set_nonce(worker.nonce);
  hello.set_lanes(worker.lanes);
  hello.set_epoch(worker.epoch);
  hello.set_announcement(worker.announcement);
  for (const FakeWorker::Task& task : worker.tasks) {
    if (task.lease) {
      wire::HeldLease& held = *hello.add_held();
      to_wire(*task.lease, held.mutable_lease());
      to_wire(task.attempt, held.mutable_attempt());
    } else {
      to_wire(task.attempt, hello.add_running());
    }
  }
  for (const wire::Envelope& waiting : worker.unacknowledged) {
    const wire::Attempt& attempt = waiting.has_filled()         ? waiting.filled().attempt()
                                   : waiting.has_fill_failed()  ? waiting.fill_failed().attempt()
                                   : waiting.has_proved()       ? waiting.proved().attempt()
                                   : waiting.has_prove_failed() ? waiting.prove_failed().attempt()
                                   : waiting.has_prepared()     ? waiting.prepared().attempt()
                                                                : waiting.prepare_failed().attempt();
    *hello.add_running() = attempt;
  }
  for (const auto& [slot, segment] : worker.attached) {
    wire::AttachedSegment& entry = *hello.add_attached();
    entry.set_slot(slot);
    entry.set_segment(segment);
  }
  handle(FromWorker{worker.peer, std::move(message), {}});
}

void World::kill(FakeWorker& worker) {
  worker.alive = false;
  worker.connected = false;
  worker.tasks.clear();
  worker.inbox.clear();
  worker.unacknowledged.clear();
}

void World::report_death(FakeWorker& worker) {
  const auto watched = std::find_if(watched_.begin(), watched_.end(),
                                    [&](const auto& entry) { return entry.second == worker.pid; });
  peers_.erase(worker.peer);
  kills_.erase(worker.pid);
  if (watched != watched_.end()) {
    handle(WorkerEnded{watched->first});
  }
}

void World::send(FakeWorker& worker, wire::Envelope message) {
  message.set_session(worker.session);
  handle(FromWorker{worker.peer, std::move(message), {}});
}

bool World::deliver(FakeWorker& worker) {
  if (worker.inbox.empty() || !worker.alive) {
    return false;
  }
  const wire::Envelope message = std::move(worker.inbox.front());
  worker.inbox.pop_front();
  receive(worker, message);
  return true;
}

void World::deliver_all() {
  for (bool progress = true; progress;) {
    progress = false;
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      progress = deliver(*workers_[i]) || progress;
    }
  }
}

void World::receive(FakeWorker& worker, const wire::Envelope& message) {
  if (message.has_welcome()) {
    if (worker.session != message.session() || worker.epoch != message.welcome().epoch()) {
      if (worker.epoch != 0) {
        worker.tasks.clear();
        worker.unacknowledged.clear();
        worker.attached.clear();
      }
    }
    worker.session = message.session();
    worker.epoch = static_cast<Epoch>(message.welcome().epoch());
    worker.incarnation = message.incarnation();
    return;
  }
  if (worker.incarnation == 0 || message.incarnation() != worker.incarnation) {
    return;
  }
  if (message.has_attach()) {
    worker.attached[message.attach().slot()] = message.attach().segment();
    wire::Envelope answer;
    answer.mutable_attached()->set_slot(message.attach().slot());
    answer.mutable_attached()->set_segment(message.attach().segment());
    send(worker, std::move(answer));
  } else if (message.has_detach()) {
    worker.attached.erase(message.detach().slot());
    wire::Envelope answer;
    answer.mutable_detached()->set_slot(message.detach().slot());
    answer.mutable_detached()->set_segment(message.detach().segment());
    send(worker, std::move(answer));
  } else if (message.has_ack()) {
    const Attempt attempt = from_wire(message.ack().attempt());
    std::erase_if(worker.unacknowledged, [&](const wire::Envelope& kept) {
      return (kept.has_filled() && from_wire(kept.filled().attempt()) == attempt) ||
             (kept.has_fill_failed() && from_wire(kept.fill_failed().attempt()) == attempt) ||
             (kept.has_proved() && from_wire(kept.proved().attempt()) == attempt) ||
             (kept.has_prove_failed() && from_wire(kept.prove_failed().attempt()) == attempt) ||
             (kept.has_prepared() && from_wire(kept.prepared().attempt()) == attempt) ||
             (kept.has_prepare_failed() && from_wire(kept.prepare_failed().attempt()) == attempt);
    });
  } else if (message.has_cancel_attempt()) {
    for (FakeWorker::Task& task : worker.tasks) {
      task.cancelled = task.cancelled || task.attempt == from_wire(message.cancel_attempt().attempt());
    }
  } else if (message.has_shutdown()) {
    kill(worker);
  } else if (message.has_prepare() || message.has_fill() || message.has_prove()) {
    receive_grant(worker, message);
  }
}

void World::receive_grant(FakeWorker& worker, const wire::Envelope& message) {
  FakeWorker::Task task;
  if (message.has_prepare()) {
    task.attempt = from_wire(message.prepare().attempt());
    worker.tasks.push_back(task);
    return;
  }
  const bool fill = message.has_fill();
  task.attempt = from_wire(fill ? message.fill().attempt() : message.prove().attempt());
  task.granted = from_wire(fill ? message.fill().lease() : message.prove().lease());
  task.lease = task.granted;
  task.fill_generation = fill ? task.granted.generation : message.prove().fill_generation();
  const SegmentId segment = fill ? message.fill().segment() : message.prove().segment();
  const auto attached = worker.attached.find(task.granted.slot);
  if (attached == worker.attached.end() || attached->second != segment) {
    violated(concat("grant of a slot that is not attached: ", to_string(task.granted)));
  }
  if (word(task.granted.slot).generation != task.granted.generation) {
    violated(concat("grant with a lease that is not the ledger's: ", to_string(task.granted)));
  }
  Content& content = contents_[task.granted.slot];
  if (fill) {
    content = {0, task.attempt.job, {}};
    ++fills_[task.attempt.job];
  } else if (content.seal != message.prove().fill_generation() || content.job != task.attempt.job ||
             content.digest != message.prove().input_digest()) {
    violated(concat("proof of bytes that are not the job's: ", to_string(task.attempt)));
  }
  worker.tasks.push_back(task);
  if (worker.tasks.size() > worker.lanes) {
    violated(concat("more grants than lanes at worker ", worker.epoch));
  }
}

wire::Envelope World::completion(FakeWorker& worker, const FakeWorker::Task& task, StatusCode code,
                                 wire::ProveFailure failure) {
  wire::Envelope message;
  const auto number = static_cast<std::uint32_t>(code);
  if (is_prepare(task.attempt)) {
    if (code != StatusCode::kOk) {
      to_wire(task.attempt, message.mutable_prepare_failed()->mutable_attempt());
      message.mutable_prepare_failed()->set_code(number);
      message.mutable_prepare_failed()->set_text("prepare failed");
      return message;
    }
    to_wire(task.attempt, message.mutable_prepared()->mutable_attempt());
    wire::Circuit& circuit = *message.mutable_prepared()->mutable_circuit();
    circuit.set_curve(1);
    std::string key = "/a";
    for (const auto& [id, known] : brain_->circuits()) {
      key = id == circuit_of_prepare(task.attempt) ? known.info.source().key_path() : key;
    }
    circuit.set_domain_size(domains.at(key));
    circuit.set_n_vars(domains.at(key));
    circuit.set_fingerprint(std::string(16, 'f'));
    return message;
  }
  if (worker.role == WorkerRole::kSynth) {
    if (code != StatusCode::kOk) {
      to_wire(task.granted, message.mutable_fill_failed()->mutable_lease());
      to_wire(task.attempt, message.mutable_fill_failed()->mutable_attempt());
      message.mutable_fill_failed()->set_code(number);
      message.mutable_fill_failed()->set_text("fill failed");
      return message;
    }
    Content& content = contents_[task.granted.slot];
    content.seal = task.granted.generation;
    content.digest = concat("digest of ", 100000 + task.granted.generation % 100000);
    content.digest.resize(16);
    to_wire(task.granted, message.mutable_filled()->mutable_lease());
    to_wire(task.attempt, message.mutable_filled()->mutable_attempt());
    message.mutable_filled()->set_input_digest(content.digest);
    return message;
  }
  if (code != StatusCode::kOk) {
    to_wire(task.granted, message.mutable_prove_failed()->mutable_lease());
    to_wire(task.attempt, message.mutable_prove_failed()->mutable_attempt());
    message.mutable_prove_failed()->set_failure(failure);
    message.mutable_prove_failed()->set_code(number);
    message.mutable_prove_failed()->set_text("prove failed");
    return message;
  }
  to_wire(task.granted, message.mutable_proved()->mutable_lease());
  to_wire(task.attempt, message.mutable_proved()->mutable_attempt());
  message.mutable_proved()->set_proof(concat("proof of ", task.attempt.job));
  return message;
}

void World::complete(FakeWorker& worker, FakeWorker::Task task, StatusCode code, wire::ProveFailure failure) {
  std::erase_if(worker.tasks,
                [&](const FakeWorker::Task& running) { return running.attempt == task.attempt; });
  wire::Envelope message = completion(worker, task, code, failure);
  worker.unacknowledged.push_back(message);
  send(worker, std::move(message));
}

void World::upload(FakeWorker& worker, FakeWorker::Task& task) {
  wire::Envelope message;
  to_wire(task.granted, message.mutable_uploaded()->mutable_lease());
  to_wire(task.attempt, message.mutable_uploaded()->mutable_attempt());
  task.lease.reset();
  send(worker, std::move(message));
}

void World::resend(FakeWorker& worker, const wire::Envelope& message) {
  send(worker, message);
}

void World::submit(const std::string& key, const std::string& circuit, wire::Priority priority,
                   std::uint64_t deadline_ms) {
  wire::Envelope message;
  wire::Submit& submit = *message.mutable_submit();
  submit.set_key(key);
  submit.mutable_circuit_source()->set_key_path(circuit);
  submit.set_witness_path("/w/" + key);
  submit.set_priority(priority);
  submit.set_deadline_ms(deadline_ms);
  ask(std::move(message));
}

void World::cancel(JobId job) {
  wire::Envelope message;
  message.mutable_cancel_job()->set_job(job);
  ask(std::move(message));
}

void World::ask(wire::Envelope message) {
  message.set_request(++last_request_);
  handle(FromClient{"client", std::move(message)});
}

bool World::commit_one() {
  if (records_.empty()) {
    return false;
  }
  const JournalRecord record = std::move(records_.front());
  records_.pop_front();
  write(record);
  return true;
}

void World::commit_all() {
  while (commit_one()) {
  }
}

void World::write(const JournalRecord& record) {
  if (const auto* accept = std::get_if<AcceptJob>(&record)) {
    const auto known = keys_.find(accept->row.key);
    if (known != keys_.end()) {
      JobRow row = accepted_.at(known->second);
      row.reply = ended_.at(row.id);
      handle(JournalAnswered{Existing{accept->ticket, row}});
      return;
    }
    keys_[accept->row.key] = accept->row.id;
    accepted_[accept->row.id] = accept->row;
    last_job_ = std::max(last_job_, accept->row.id);
    handle(JournalAnswered{Committed{accept->ticket}});
  } else if (const auto* attempt = std::get_if<NoteAttempt>(&record)) {
    if (!accepted_.contains(attempt->attempt.job)) {
      return violated(concat("attempt of a job that was not accepted: ", attempt->attempt.job));
    }
    JobRow& row = accepted_[attempt->attempt.job];
    row.attempt = attempt->attempt;
    row.failures = attempt->failures;
    row.strikes = attempt->strikes;
  } else if (const auto* end = std::get_if<EndJob>(&record)) {
    if (!accepted_.contains(end->reply.job())) {
      return violated(concat("end of a job that was not accepted: ", end->reply.job()));
    }
    if (!ended_.emplace(end->reply.job(), end->reply).second) {
      violated(concat("job ", end->reply.job(), " ended twice"));
    }
    if (end->reply.state() == wire::JOB_DONE && end->reply.proof() != concat("proof of ", end->reply.job())) {
      violated(concat("job ", end->reply.job(), " got the proof of another"));
    }
    accepted_[end->reply.job()].ended = true;
    handle(JournalAnswered{Committed{end->ticket}});
  } else if (const auto* put = std::get_if<PutCircuit>(&record)) {
    circuits_[put->row.id] = put->row;
  } else if (const auto* drop = std::get_if<DropCircuit>(&record)) {
    circuits_.erase(drop->id);
  } else if (const auto* find = std::get_if<FindJob>(&record)) {
    const JobId id = find->id != 0 ? find->id : keys_.contains(find->key) ? keys_.at(find->key) : 0;
    std::optional<JobRow> row;
    if (ended_.contains(id)) {
      row = accepted_.at(id);
      row->reply = ended_.at(id);
    }
    handle(JournalAnswered{Found{find->ticket, row}});
  }
}

bool World::segment_ready(const Status& status) {
  if (creations_.empty()) {
    return false;
  }
  const CreateSegment creation = creations_.front();
  creations_.pop_front();
  contents_[creation.slot] = {};
  handle(SegmentReady{creation.slot, creation.segment, status});
  return true;
}

void World::advance(Milliseconds duration) {
  now_ += duration;
  handle(Tick{});
}

void World::stop(std::uint64_t grace_ms) {
  handle(StopRequested{grace_ms});
}

void World::settle(int rounds) {
  for (int round = 0; round < rounds; ++round) {
    deliver_all();
    bool progress = commit_one();
    progress = segment_ready() || progress;
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      FakeWorker& worker = *workers_[i];
      if (worker.alive && !worker.connected) {
        hello(worker);
        progress = true;
      } else if (!worker.alive && peers_.contains(worker.peer)) {
        report_death(worker);
        progress = true;
      } else if (worker.alive && kills_.contains(worker.pid)) {
        kill(worker);
        progress = true;
      } else if (!worker.tasks.empty()) {
        const FakeWorker::Task task = worker.tasks.front();
        complete(worker, task, task.cancelled ? StatusCode::kCancelled : StatusCode::kOk,
                 wire::PROVE_FAILURE_CANCELLED);
        progress = true;
      } else if (!worker.unacknowledged.empty() && worker.inbox.empty()) {
        resend(worker, worker.unacknowledged.front());
        progress = true;
      }
    }
    if (!progress && records_.empty() && creations_.empty()) {
      const Instant next = brain_->next_time();
      if (next == Instant::max() || next - now_ > config_.backoff_limit) {
        return;
      }
      advance(std::chrono::ceil<Milliseconds>(next - now_));
    }
  }
}

void World::restart() {
  // What was posted and not written is lost.
  records_.clear();
  creations_.clear();
  crashed_ = false;
  crash_after_.reset();
  ++config_.incarnation;
  JournalImage image;
  image.session = config_.session;
  image.incarnation = config_.incarnation;
  image.last_job = last_job_;
  for (const auto& [id, row] : accepted_) {
    if (!row.ended) {
      image.open_jobs.push_back(row);
    }
  }
  for (const auto& [id, row] : circuits_) {
    image.circuits.push_back(row);
  }
  brain_ = std::make_unique<Coordinator>(config_);
  peers_.clear();
  for (auto& worker : workers_) {
    worker->connected = false;
    worker->inbox.clear();
    worker->incarnation = 0;
  }
  Actions actions;
  brain_->adopt(*ledger_, image, now_, actions);
  watched_.clear();
  std::vector<Epoch> gone;
  for (const WorkerEntry& entry : ledger_->workers) {
    if (entry.epoch == 0) {
      continue;
    }
    watched_[entry.epoch] = entry.pid;
    const bool alive = std::any_of(workers_.begin(), workers_.end(), [&](const auto& worker) {
      return worker->pid == entry.pid && worker->alive;
    });
    if (!alive) {
      gone.push_back(entry.epoch);
    }
  }
  for (const Action& action : actions) {
    execute(action);
  }
  for (const Epoch epoch : gone) {
    handle(WorkerEnded{epoch});
  }
  handle(Tick{});
}

void World::handle(const Event& event) {
  if (crashed_) {
    return;
  }
  Actions actions;
  brain_->handle(event, now_, actions);
  for (const Action& action : actions) {
    if (crash_after_) {
      if (*crash_after_ == 0) {
        crashed_ = true;
        return;
      }
      --*crash_after_;
    }
    execute(action);
  }
  check();
}

void World::execute(const Action& action) {
  if (const auto* to_worker = std::get_if<SendToWorker>(&action)) {
    const auto found = peers_.find(to_worker->peer);
    if (found != peers_.end() && found->second->alive) {
      wire::Envelope message = to_worker->message;
      if (!encode(message).is_ok()) {
        violated(concat("a message that nobody takes: ", name_of(message.body_case()), " ",
                        encode(message).status().to_string()));
      }
      found->second->inbox.push_back(std::move(message));
    }
  } else if (const auto* to_client = std::get_if<SendToClient>(&action)) {
    wire::Envelope message = to_client->message;
    if (!encode(message).is_ok()) {
      violated(concat("an answer that nobody takes: ", encode(message).status().to_string()));
    }
    replies_.push_back(std::move(message));
  } else if (const auto* slot = std::get_if<StoreSlot>(&action)) {
    const LedgerWord next = unpack(slot->entry.word);
    if (next.generation < generations_[slot->slot]) {
      violated(concat("generation of slot ", slot->slot, " went back"));
    }
    generations_[slot->slot] = next.generation;
    ledger_->slots[slot->slot] = slot->entry;
  } else if (const auto* worker = std::get_if<StoreWorker>(&action)) {
    ledger_->workers[worker->index] = worker->entry;
  } else if (const auto* record = std::get_if<JournalRecord>(&action)) {
    records_.push_back(*record);
  } else if (const auto* watch = std::get_if<WatchWorker>(&action)) {
    if (peers_.contains(watch->peer)) {
      watched_[watch->epoch] = peers_.at(watch->peer)->pid;
    }
  } else if (const auto* forget = std::get_if<ForgetWorker>(&action)) {
    watched_.erase(forget->epoch);
  } else if (const auto* kill_action = std::get_if<KillWorker>(&action)) {
    if (watched_.contains(kill_action->epoch)) {
      kills_.insert(watched_.at(kill_action->epoch));
    }
  } else if (const auto* create = std::get_if<CreateSegment>(&action)) {
    creations_.push_back(*create);
  } else if (std::holds_alternative<Finish>(action)) {
    finished_ = true;
  }
}

/// Of all living processes at most one touches a slot.
void World::check() {
  std::map<SlotId, int> touching;
  for (const auto& worker : workers_) {
    for (const FakeWorker::Task& task : worker->tasks) {
      if (!task.lease) {
        continue;
      }
      if (++touching[task.lease->slot] > 1) {
        violated(concat("two processes touch slot ", task.lease->slot));
      }
      if (word(task.lease->slot).generation != task.lease->generation) {
        violated(concat("a process touches slot ", task.lease->slot, " whose lease has moved on"));
      }
    }
  }
}

FakeWorker* World::running(JobId job) {
  for (auto& worker : workers_) {
    for (const FakeWorker::Task& task : worker->tasks) {
      if (task.attempt.job == job) {
        return worker.get();
      }
    }
  }
  return nullptr;
}

}  // namespace baton
