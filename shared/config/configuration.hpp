#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shared/support/clock.hpp"

namespace baton {

struct ServiceSettings {
  std::string run_dir;         ///< sockets and lock; empty: the default of the user
  std::string state_dir;       ///< journal and compiled circuits; empty: run_dir
  std::string spool_dir;       ///< uploaded witnesses; empty: none
  bool group_clients = false;  ///< the group of the service may use the clients' socket
  std::string log_level = "info";
};

struct MemorySettings {
  std::uint64_t slots = 0;            ///< bytes of all slots; 0: half of what is free
  std::uint32_t slots_per_class = 0;  ///< 0: as the workers present need
};

struct SynthSettings {
  unsigned workers = 2;
  unsigned threads = 0;  ///< of each; 0: all that it may use
  std::string cpus;      ///< "0-3,8"; empty: all
};

struct GpuSettings {
  std::string backend = "auto";      ///< auto, cpu or cuda
  std::vector<std::string> devices;  ///< UUID or index, one gpu-worker each; empty: see `workers`
  unsigned workers = 1;              ///< where no devices are named
  unsigned lanes = 0;                ///< 0: as many as the backend has
  unsigned threads = 0;              ///< of the CPU backend; 0: all that it may use
  std::string cpus;
};

struct LimitSettings {
  std::uint32_t queue = 10'000;   ///< jobs accepted and not ended
  std::uint32_t circuits = 1024;  ///< circuits known at a time
  std::uint32_t failures = 6;     ///< failed attempts of one job
  std::uint32_t strikes = 3;      ///< workers that may die over one job alone
  Milliseconds fill{600'000};
  Milliseconds prove{600'000};
  Milliseconds prepare{1'800'000};
  Milliseconds grace{30'000};  ///< for running work after SIGTERM
};

struct RetentionSettings {
  std::uint32_t memory_jobs = 1024;  ///< ended jobs kept in memory
  std::uint64_t jobs = 100'000;      ///< ended jobs kept in the journal
  std::uint32_t days = 0;            ///< ended jobs older than this leave the journal; 0: whatever their age
};

struct GatewaySettings {
  std::string listen = "127.0.0.1:8480";
  std::string token_file;                ///< required where `listen` is not the loopback
  std::vector<std::string> directories;  ///< witness paths in requests must lie in one of them
  std::vector<std::string> origins;      ///< web pages that may call
  std::uint64_t body_limit = std::uint64_t{4} << 30;
  unsigned connections = 1024;
  double requests_per_second = 2000;  ///< of one address; 0: no limit
  bool rapidsnark_routes = false;
};

struct CircuitSettings {
  std::string name;
  std::string key;
  std::string r1cs;             ///< empty: a violated constraint is not named
  std::string witness_program;  ///< empty: only witness files
};

/// What a configuration file says; everything that it leaves out has its default.
struct Configuration {
  ServiceSettings service;
  MemorySettings memory;
  SynthSettings synth;
  GpuSettings gpu;
  LimitSettings limits;
  RetentionSettings retention;
  GatewaySettings gateway;
  std::vector<CircuitSettings> circuits;
};

}  // namespace baton
