#include "shared/config/config_sections.hpp"

#include <algorithm>

#include "shared/config/config_fields.hpp"
#include "shared/support/concat.hpp"

namespace baton {

namespace {

constexpr std::uint64_t kMost = 1'000'000'000;

const std::vector<ConfigField<ServiceSettings>>& service_fields() {
  using S = ServiceSettings;
  static const std::vector<ConfigField<S>> fields = {
      field("run_dir", &S::run_dir, read_path),
      field("state_dir", &S::state_dir, read_path),
      field("spool_dir", &S::spool_dir, read_path),
      field("clients", &S::group_clients,
            [](const TomlValue& value) -> Result<bool> {
              BATON_ASSIGN_OR_RETURN(const std::string who, read_choice(value, {"owner", "group"}));
              return who == "group";
            }),
      field("log_level", &S::log_level,
            [](const TomlValue& value) {
              return read_choice(value, {"debug", "info", "warn", "error", "off"});
            }),
  };
  return fields;
}

const std::vector<ConfigField<MemorySettings>>& memory_fields() {
  using S = MemorySettings;
  static const std::vector<ConfigField<S>> fields = {
      field("slots", &S::slots, [](const TomlValue& value) { return read_bytes(value, true); }),
      count_field("slots_per_class", &S::slots_per_class, 0, 64),
  };
  return fields;
}

const std::vector<ConfigField<SynthSettings>>& synth_fields() {
  using S = SynthSettings;
  static const std::vector<ConfigField<S>> fields = {
      count_field("workers", &S::workers, 1, 64),
      count_field("threads", &S::threads, 0, 1024),
      field("cpus", &S::cpus, read_cpus),
  };
  return fields;
}

const std::vector<ConfigField<GpuSettings>>& gpu_fields() {
  using S = GpuSettings;
  static const std::vector<ConfigField<S>> fields = {
      field("backend", &S::backend,
            [](const TomlValue& value) {
              return read_choice(value, {"auto", "cpu", "cuda"});
            }),
      field("devices", &S::devices, read_texts),
      count_field("workers", &S::workers, 1, 64),
      count_field("lanes", &S::lanes, 0, 16),
      count_field("threads", &S::threads, 0, 1024),
      field("cpus", &S::cpus, read_cpus),
  };
  return fields;
}

ConfigField<LimitSettings> seconds_field(std::string_view key, Milliseconds LimitSettings::*member,
                                         double least) {
  return field(key, member, [least](const TomlValue& value) { return read_seconds(value, least); });
}

const std::vector<ConfigField<LimitSettings>>& limit_fields() {
  using S = LimitSettings;
  static const std::vector<ConfigField<S>> fields = {
      count_field("queue", &S::queue, 1, 10'000'000),       count_field("circuits", &S::circuits, 1, 60'000),
      count_field("failures", &S::failures, 1, 1000),       count_field("strikes", &S::strikes, 1, 1000),
      seconds_field("fill_seconds", &S::fill, 0.001),       seconds_field("prove_seconds", &S::prove, 0.001),
      seconds_field("prepare_seconds", &S::prepare, 0.001), seconds_field("grace_seconds", &S::grace, 0),
  };
  return fields;
}

const std::vector<ConfigField<RetentionSettings>>& retention_fields() {
  using S = RetentionSettings;
  static const std::vector<ConfigField<S>> fields = {
      count_field("memory_jobs", &S::memory_jobs, 0, 10'000'000),
      count_field("jobs", &S::jobs, 1, kMost),
      count_field("days", &S::days, 0, 36'500),
  };
  return fields;
}

const std::vector<ConfigField<GatewaySettings>>& gateway_fields() {
  using S = GatewaySettings;
  static const std::vector<ConfigField<S>> fields = {
      field("listen", &S::listen, read_text),
      field("token_file", &S::token_file, read_path),
      field("directories", &S::directories, read_texts),
      field("origins", &S::origins, read_texts),
      field("body_limit", &S::body_limit, [](const TomlValue& value) { return read_bytes(value, false); }),
      count_field("connections", &S::connections, 1, 100'000),
      field("requests_per_second", &S::requests_per_second,
            [](const TomlValue& value) { return read_number(value, 0, 1e6); }),
      field("rapidsnark_routes", &S::rapidsnark_routes, read_boolean),
  };
  return fields;
}

const std::vector<ConfigField<CircuitSettings>>& circuit_fields() {
  using S = CircuitSettings;
  static const std::vector<ConfigField<S>> fields = {
      field("name", &S::name, read_text),
      field("key", &S::key, read_path),
      field("r1cs", &S::r1cs, read_path),
      field("witness_program", &S::witness_program, read_path),
  };
  return fields;
}

std::string place(const std::string& file, unsigned line) {
  return concat(file, ":", line, ": ");
}

std::string suggestion(std::string_view nearest, const std::string& prefix) {
  return nearest.empty() ? std::string() : concat("; did you mean '", prefix, nearest, "'?");
}

/// Reads the values of one section into `out`.
template <class Section>
Status read_section(const TomlTable& table, const std::vector<ConfigField<Section>>& fields,
                    const std::string& file, const std::string& section, Section& out) {
  for (const TomlEntry& entry : table) {
    const auto known =
        std::find_if(fields.begin(), fields.end(), [&](const auto& f) { return f.key == entry.key; });
    if (known == fields.end()) {
      std::vector<std::string_view> keys;
      for (const auto& f : fields) {
        keys.push_back(f.key);
      }
      return invalid_input(concat(place(file, entry.line), "unknown key '", section, ".", entry.key, "'",
                                  suggestion(nearest_key(entry.key, keys), section + ".")));
    }
    const Status status = known->read(entry.value, out);
    if (!status.is_ok()) {
      return invalid_input(concat(place(file, entry.line), section, ".", entry.key, ": ", status.message()));
    }
  }
  return Status::ok();
}

template <class Section>
Status read_section(const TomlEntry& entry, const std::vector<ConfigField<Section>>& fields,
                    const std::string& file, Section& out) {
  const auto* table = std::get_if<TomlTable>(&entry.value.data);
  if (table == nullptr) {
    return invalid_input(concat(place(file, entry.line), entry.key, ": expected a section [", entry.key,
                                "], found ", entry.value.kind()));
  }
  return read_section(*table, fields, file, entry.key, out);
}

Status read_circuits(const TomlEntry& entry, const std::string& file, std::vector<CircuitSettings>& out) {
  const auto* list = std::get_if<TomlArray>(&entry.value.data);
  if (list == nullptr) {
    return invalid_input(concat(place(file, entry.line), "circuit: expected sections [[circuit]], found ",
                                entry.value.kind()));
  }
  for (const TomlValue& value : *list) {
    const auto* table = std::get_if<TomlTable>(&value.data);
    if (table == nullptr) {
      return invalid_input(
          concat(place(file, value.line), "circuit: expected sections [[circuit]], found ", value.kind()));
    }
    CircuitSettings circuit;
    BATON_RETURN_IF_ERROR(read_section(*table, circuit_fields(), file, "circuit", circuit));
    if (circuit.name.empty() || circuit.key.empty()) {
      return invalid_input(concat(place(file, value.line), "circuit: expected a name and a key, found no ",
                                  circuit.name.empty() ? "name" : "key"));
    }
    const bool twice = std::any_of(out.begin(), out.end(),
                                   [&](const CircuitSettings& other) { return other.name == circuit.name; });
    if (twice) {
      return invalid_input(concat(place(file, value.line), "circuit '", circuit.name, "': is there twice"));
    }
    out.push_back(std::move(circuit));
  }
  return Status::ok();
}

Status read_entry(const TomlEntry& entry, const std::string& file, Configuration& out) {
  if (entry.key == "service") {
    return read_section(entry, service_fields(), file, out.service);
  }
  if (entry.key == "memory") {
    return read_section(entry, memory_fields(), file, out.memory);
  }
  if (entry.key == "synth") {
    return read_section(entry, synth_fields(), file, out.synth);
  }
  if (entry.key == "gpu") {
    return read_section(entry, gpu_fields(), file, out.gpu);
  }
  if (entry.key == "limits") {
    return read_section(entry, limit_fields(), file, out.limits);
  }
  if (entry.key == "retention") {
    return read_section(entry, retention_fields(), file, out.retention);
  }
  if (entry.key == "gateway") {
    return read_section(entry, gateway_fields(), file, out.gateway);
  }
  if (entry.key == "circuit") {
    return read_circuits(entry, file, out.circuits);
  }
  const std::string_view nearest = nearest_key(
      entry.key, {"service", "memory", "synth", "gpu", "limits", "retention", "gateway", "circuit"});
  return invalid_input(
      concat(place(file, entry.line), "unknown section '", entry.key, "'", suggestion(nearest, {})));
}

}  // namespace

Result<Configuration> read_sections(const TomlTable& document, const std::string& name) {
  Configuration configuration;
  for (const TomlEntry& entry : document) {
    BATON_RETURN_IF_ERROR(read_entry(entry, name, configuration));
  }
  if (!configuration.gpu.devices.empty()) {
    configuration.gpu.workers = static_cast<unsigned>(configuration.gpu.devices.size());
  }
  return configuration;
}

}  // namespace baton
