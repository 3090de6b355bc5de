#include "coordinator/circuit_registry.hpp"

#include <algorithm>

namespace baton {

namespace {

std::string source_key(const wire::CircuitSource& source) {
  std::string key = source.key_path();
  key.push_back('\0');
  key.append(source.r1cs_path());
  key.push_back('\0');
  key.append(source.witness_program());
  return key;
}

void erase_if_ours(std::unordered_map<std::string, CircuitId>& map, const std::string& key, CircuitId id) {
  const auto found = map.find(key);
  if (found != map.end() && found->second == id) {
    map.erase(found);
  }
}

}  // namespace

Circuit& CircuitRegistry::add(const std::string& name, const wire::CircuitSource& source) {
  Circuit& circuit = adopt(last_id_ + 1);
  circuit.name = name;
  *circuit.info.mutable_source() = source;
  index(circuit);
  return circuit;
}

Circuit& CircuitRegistry::adopt(CircuitId id) {
  last_id_ = std::max(last_id_, id);
  Circuit& circuit = circuits_[id];
  circuit.id = id;
  circuit.info.set_id(id);
  return circuit;
}

void CircuitRegistry::index(Circuit& circuit) {
  if (!circuit.name.empty()) {
    names_[circuit.name] = circuit.id;
  }
  sources_.try_emplace(source_key(circuit.info.source()), circuit.id);
}

Circuit* CircuitRegistry::find(CircuitId id) noexcept {
  const auto found = circuits_.find(id);
  return found == circuits_.end() ? nullptr : &found->second;
}

Circuit* CircuitRegistry::find_name(const std::string& name) noexcept {
  const auto found = names_.find(name);
  return found == names_.end() ? nullptr : find(found->second);
}

Circuit* CircuitRegistry::find_source(const wire::CircuitSource& source) noexcept {
  const auto found = sources_.find(source_key(source));
  return found == sources_.end() ? nullptr : find(found->second);
}

void CircuitRegistry::detach(Circuit& circuit) {
  circuit.replaced = true;
  erase_if_ours(names_, circuit.name, circuit.id);
  erase_if_ours(sources_, source_key(circuit.info.source()), circuit.id);
}

void CircuitRegistry::remove(CircuitId id) {
  if (Circuit* circuit = find(id)) {
    detach(*circuit);
    circuits_.erase(id);
  }
}

Circuit* CircuitRegistry::idlest_anonymous() noexcept {
  Circuit* idlest = nullptr;
  for (auto& [id, circuit] : circuits_) {
    const bool idle = circuit.name.empty() && circuit.jobs == 0 && circuit.stage != CircuitStage::kPreparing;
    if (idle && (idlest == nullptr || circuit.last_use < idlest->last_use)) {
      idlest = &circuit;
    }
  }
  return idlest;
}

}  // namespace baton
