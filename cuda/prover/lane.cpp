#include "cuda/prover/lane.hpp"

#include <algorithm>

namespace baton {

Result<LaneEvents> LaneEvents::create() {
  const auto timing = [] { return Event::create(EventKind::kTiming); };
  BATON_ASSIGN_OR_RETURN(Event copy_begin, timing());
  BATON_ASSIGN_OR_RETURN(Event witness_uploaded, timing());
  BATON_ASSIGN_OR_RETURN(Event uploaded, Event::create(EventKind::kBlocking));
  BATON_ASSIGN_OR_RETURN(Event sums_begin, timing());
  BATON_ASSIGN_OR_RETURN(Event digits_sorted, timing());
  BATON_ASSIGN_OR_RETURN(Event b2_done, timing());
  BATON_ASSIGN_OR_RETURN(Event a_done, timing());
  BATON_ASSIGN_OR_RETURN(Event b1_done, timing());
  BATON_ASSIGN_OR_RETURN(Event quotient_begin, timing());
  BATON_ASSIGN_OR_RETURN(Event quotient_done, timing());
  BATON_ASSIGN_OR_RETURN(Event ch_begin, timing());
  BATON_ASSIGN_OR_RETURN(Event ch_done, timing());
  BATON_ASSIGN_OR_RETURN(Event done, Event::create(EventKind::kBlocking));
  return LaneEvents{std::move(copy_begin),    std::move(witness_uploaded), std::move(uploaded),
                    std::move(sums_begin),    std::move(digits_sorted),    std::move(b2_done),
                    std::move(a_done),        std::move(b1_done),          std::move(quotient_begin),
                    std::move(quotient_done), std::move(ch_begin),         std::move(ch_done),
                    std::move(done)};
}

Result<Lane> Lane::create(const PinnedRanges& ranges, bool stage) {
  BATON_ASSIGN_OR_RETURN(Stream copy, Stream::create());
  BATON_ASSIGN_OR_RETURN(Stream sums, Stream::create());
  BATON_ASSIGN_OR_RETURN(Stream quotient, Stream::create());
  BATON_ASSIGN_OR_RETURN(LaneEvents events, LaneEvents::create());
  BATON_ASSIGN_OR_RETURN(HostBuffer results, HostBuffer::allocate(kResultBytes));
  BATON_ASSIGN_OR_RETURN(Uploader uploader, Uploader::create(ranges, stage));
  return Lane{std::move(copy),   std::move(sums),    std::move(quotient),
              std::move(events), std::move(results), std::move(uploader)};
}

void Lane::drain() const noexcept {
  for (const Stream* stream : {&copy, &quotient, &sums}) {
    (void)stream->synchronize();
  }
}

Status read_timings(const LaneEvents& events, ProofTimings& timings) {
  const auto read = [](const Event& begin, const Event& end, double& milliseconds) -> Status {
    BATON_ASSIGN_OR_RETURN(milliseconds, elapsed_ms(begin, end));
    return {};
  };
  double from_sums = 0;
  double from_quotient = 0;
  BATON_RETURN_IF_ERROR(read(events.copy_begin, events.uploaded, timings.copy_ms));
  BATON_RETURN_IF_ERROR(read(events.quotient_begin, events.quotient_done, timings.ntt_ms));
  BATON_RETURN_IF_ERROR(read(events.digits_sorted, events.b2_done, timings.msm_b2_ms));
  BATON_RETURN_IF_ERROR(read(events.b2_done, events.a_done, timings.msm_a_ms));
  BATON_RETURN_IF_ERROR(read(events.a_done, events.b1_done, timings.msm_b1_ms));
  BATON_RETURN_IF_ERROR(read(events.ch_begin, events.ch_done, timings.msm_ch_ms));
  BATON_RETURN_IF_ERROR(read(events.sums_begin, events.done, from_sums));
  BATON_RETURN_IF_ERROR(read(events.quotient_begin, events.done, from_quotient));
  timings.compute_ms = std::max(from_sums, from_quotient);
  double waited = 0;
  BATON_RETURN_IF_ERROR(read(events.witness_uploaded, events.sums_begin, waited));
  timings.wait_ms = std::max(0.0, waited);
  return {};
}

}  // namespace baton
