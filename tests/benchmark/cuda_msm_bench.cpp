// Times sums of scalars times points with everything resident, and checks each against a known answer.
//
//   cuda_msm_bench GROUP KIND LOG_SIZE [WINDOW_BITS [TABLES [REPEATS]]]
//
// GROUP: bn254g1, bn254g2, bls12381g1, bls12381g2. KIND: dense, or witness (40 % zeros, 40 % ones, 15 % below
// 2^16, 5 % dense). WINDOW_BITS 0: chosen. TABLES 0: as many as windows. Several runs may be joined by
// commas: cuda_msm_bench bn254g1 dense 20 , bn254g1 witness 20

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "cuda/device/event.hpp"
#include "tests/gpu/support/msm_runner.hpp"

namespace baton::test {
namespace {

using Scalar = BigInt<4>;

struct BenchRun {
  std::string group;
  std::string kind;
  unsigned log_size = 0;
  unsigned window_bits = 0;
  unsigned tables = 0;
  unsigned repeats = 11;
};

template <class Params>
Scalar draw(std::mt19937_64& random, bool witness) {
  const std::uint64_t kind = witness ? random() % 100 : 99;
  if (kind < 95) {
    return Scalar::from_u64(kind < 40 ? 0 : (kind < 80 ? 1 : random() % 65536));
  }
  Scalar s;
  do {
    for (std::uint64_t& limb : s.limbs) {
      limb = random();
    }
    s.limbs[3] >>= 1;
  } while (!(s < Params::modulus()));
  return s;
}

template <class Params>
MsmInput make_input(std::size_t n, bool witness) {
  MsmInput in;
  in.scalars.resize(n);
  in.factors.resize(n);
  const std::size_t threads = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::thread> workers;
  for (std::size_t t = 0; t < threads; ++t) {
    workers.emplace_back([&, t] {
      std::mt19937_64 random(t + 1);
      for (std::size_t i = n * t / threads; i < n * (t + 1) / threads; ++i) {
        in.scalars[i] = draw<Params>(random, witness);
        in.factors[i] = static_cast<std::uint32_t>(random() % 0x7ffffffe) + 1;
      }
    });
  }
  for (std::thread& worker : workers) {
    worker.join();
  }
  return in;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

MsmWindows windows_of(const BenchRun& run, unsigned scalar_bits, std::size_t affine_bytes) {
  const std::uint64_t n = std::uint64_t{1} << run.log_size;
  MsmDemand demand;
  demand.scalar_bits = scalar_bits;
  demand.scalars = n;
  demand.dense_share = run.kind == "witness" ? 0.1 : 1.0;
  demand.points = n;
  demand.affine_bytes = affine_bytes;
  demand.table_budget_bytes = std::size_t{80} << 30;
  MsmWindows windows = choose_windows(demand);
  if (run.window_bits != 0) {
    windows.window_bits = run.window_bits;
    windows.tables = windows.windows();
  }
  if (run.tables != 0) {
    windows.tables = std::min(run.tables, windows.windows());
  }
  return windows;
}

template <class Group>
Status bench(const BenchRun& run) {
  using Params = typename Group::ScalarParams;
  const std::size_t n = std::size_t{1} << run.log_size;
  const MsmInput in = make_input<Params>(n, run.kind == "witness");
  const MsmWindows windows = windows_of(run, Group::kScalarBits, sizeof(GroupAffine<Group>));
  BATON_ASSIGN_OR_RETURN(const Stream stream, Stream::create());
  BATON_ASSIGN_OR_RETURN(const Event e0, Event::create(EventKind::kTiming));
  BATON_ASSIGN_OR_RETURN(const Event e1, Event::create(EventKind::kTiming));
  BATON_ASSIGN_OR_RETURN(const Event e2, Event::create(EventKind::kTiming));
  MsmBases<Group> bases;
  double build_ms = 0;
  {
    BATON_ASSIGN_OR_RETURN(const DeviceBuffer points, known_points<Group>(in.factors));
    BATON_RETURN_IF_ERROR(e0.record(stream.get()));
    BATON_ASSIGN_OR_RETURN(bases,
                           MsmBases<Group>::build(points.data(), static_cast<std::uint32_t>(n), 0,
                                                  static_cast<std::uint32_t>(n), windows, stream.get()));
    BATON_RETURN_IF_ERROR(e1.record(stream.get()));
    BATON_RETURN_IF_ERROR(e1.synchronize());
    BATON_ASSIGN_OR_RETURN(build_ms, elapsed_ms(e0, e1));
  }
  BATON_ASSIGN_OR_RETURN(const DeviceBuffer scalars, to_device(std::as_bytes(std::span(in.scalars))));
  BATON_ASSIGN_OR_RETURN(
      const DigitSort sort,
      DigitSort::plan(windows, static_cast<std::uint32_t>(n), ScalarModulus::of<Params>(),
                      run.kind == "witness" ? DigitDensity::kSparse : DigitDensity::kDense));
  BATON_ASSIGN_OR_RETURN(const Msm<Group> msm, Msm<Group>::plan(windows, sort.capacity()));
  BATON_ASSIGN_OR_RETURN(
      const Arena arena,
      Arena::create(sort.bytes() + msm.bytes() + device_aligned(msm.sums() * sizeof(GroupXyzz<Group>))));
  std::vector<double> sort_ms;
  std::vector<double> sum_ms;
  std::vector<double> total_ms;
  std::vector<GroupXyzz<Group>> host(msm.sums());
  for (unsigned i = 0; i < run.repeats + 2; ++i) {
    ArenaView view = arena.view();
    auto* sums = view.take<GroupXyzz<Group>>(msm.sums());
    BATON_RETURN_IF_ERROR(e0.record(stream.get()));
    BATON_ASSIGN_OR_RETURN(const SortedDigits digits, sort.run(scalars.data(), view, stream.get()));
    BATON_RETURN_IF_ERROR(e1.record(stream.get()));
    const MsmSource<Group> source{&bases, digits};
    BATON_RETURN_IF_ERROR(msm.run({&source, 1}, view, stream.get(), sums));
    BATON_RETURN_IF_ERROR(e2.record(stream.get()));
    BATON_RETURN_IF_ERROR(cuda_status(cudaMemcpyAsync(host.data(), sums, host.size() * sizeof host[0],
                                                      cudaMemcpyDeviceToHost, stream.get()),
                                      "copy the sums"));
    BATON_RETURN_IF_ERROR(stream.synchronize());
    if (i >= 2) {
      BATON_ASSIGN_OR_RETURN(const double a, elapsed_ms(e0, e1));
      BATON_ASSIGN_OR_RETURN(const double b, elapsed_ms(e1, e2));
      sort_ms.push_back(a);
      sum_ms.push_back(b);
      total_ms.push_back(a + b);
    }
  }
  const bool right =
      to_reference<Group>(Msm<Group>::finish(host, windows)) == known_sum<Group>(in.factors, in.scalars);
  std::printf(
      "%-13s %-8s 2^%-3u c %2u W %2u k %2u  table %6.2f GB built in %7.1f ms  arena %5.2f GB  "
      "sort %8.3f  sum %8.3f  total %8.3f ms (min %.3f)  %s\n",
      ReferenceOf<Group>::kName, run.kind.c_str(), run.log_size, windows.window_bits, windows.windows(),
      windows.tables, static_cast<double>(bases.bytes()) / 1e9, build_ms,
      static_cast<double>(arena.size()) / 1e9, median(sort_ms), median(sum_ms), median(total_ms),
      *std::min_element(total_ms.begin(), total_ms.end()), right ? "right" : "WRONG");
  std::fflush(stdout);
  return right ? Status::ok() : internal_error("wrong sum");
}

Status dispatch(const BenchRun& run) {
  if (run.group == "bn254g1") {
    return bench<Bn254G1Group>(run);
  }
  if (run.group == "bn254g2") {
    return bench<Bn254G2Group>(run);
  }
  if (run.group == "bls12381g1") {
    return bench<Bls12_381G1Group>(run);
  }
  if (run.group == "bls12381g2") {
    return bench<Bls12_381G2Group>(run);
  }
  return invalid_input("no group " + run.group);
}

unsigned number(const std::vector<std::string>& words, std::size_t i, unsigned fallback) {
  return i < words.size() ? static_cast<unsigned>(std::strtoul(words[i].c_str(), nullptr, 10)) : fallback;
}

int run_all(const std::vector<std::string>& arguments) {
  int failures = 0;
  for (auto begin = arguments.begin(); begin < arguments.end();) {
    const auto end = std::find(begin, arguments.end(), ",");
    const std::vector<std::string> words(begin, end);
    begin = end == arguments.end() ? end : end + 1;
    if (words.size() < 3) {
      std::fprintf(stderr, "expected GROUP KIND LOG_SIZE [WINDOW_BITS [TABLES [REPEATS]]]\n");
      return 2;
    }
    const Status status = dispatch({words[0], words[1], number(words, 2, 0), number(words, 3, 0),
                                    number(words, 4, 0), number(words, 5, 11)});
    if (!status.is_ok()) {
      std::printf("%s %s 2^%s: %s\n", words[0].c_str(), words[1].c_str(), words[2].c_str(),
                  status.to_string().c_str());
      ++failures;
    }
  }
  return failures == 0 ? 0 : 1;
}

}  // namespace
}  // namespace baton::test

int main(int argc, char** argv) {
  return baton::test::run_all({argv + 1, argv + argc});
}
