// Times transforms with everything resident: median of 11 after 2 for warmth.
//
//   cuda_ntt_bench [LOG_SIZE...]

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "cuda/device/device_buffer.hpp"
#include "cuda/device/device_info.hpp"
#include "cuda/device/event.hpp"
#include "cuda/device/stream.hpp"
#include "cuda/ntt/ntt_domain.hpp"
#include "shared/support/clock.hpp"
#include "tests/fixture/random_elements.hpp"

namespace baton::test {
namespace {

constexpr int kRepeats = 11;

Status measure(cudaStream_t stream, const char* name, unsigned log_size, const char* curve, auto&& enqueue) {
  BATON_ASSIGN_OR_RETURN(const Event begin, Event::create(EventKind::kTiming));
  BATON_ASSIGN_OR_RETURN(const Event end, Event::create(EventKind::kTiming));
  std::vector<double> times;
  for (int i = 0; i < kRepeats + 2; ++i) {
    BATON_RETURN_IF_ERROR(begin.record(stream));
    BATON_RETURN_IF_ERROR(enqueue());
    BATON_RETURN_IF_ERROR(end.record(stream));
    BATON_RETURN_IF_ERROR(end.synchronize());
    BATON_ASSIGN_OR_RETURN(const double ms, elapsed_ms(begin, end));
    if (i >= 2) {
      times.push_back(ms);
    }
  }
  std::sort(times.begin(), times.end());
  std::printf("%-10s 2^%-2u %-14s %9.3f ms (min %.3f)\n", curve, log_size, name, times[times.size() / 2],
              times.front());
  return {};
}

template <class Curve>
Status bench_transforms(unsigned log_size) {
  using Fr = typename Curve::Fr;
  BATON_ASSIGN_OR_RETURN(const Stream stream, Stream::create());
  const Stopwatch watch;
  BATON_ASSIGN_OR_RETURN(const auto domain, NttDomain<Fr>::build(log_size, stream.get()));
  const double build_ms = watch.milliseconds();
  std::vector<Fr> values(std::size_t{1} << log_size);
  fixture::RandomElements random(log_size);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = i < 4096 ? random.element<Fr>() : values[i - 4096] + values[i - 1];
  }
  DeviceBuffer vectors[3];
  for (auto& vector : vectors) {
    BATON_ASSIGN_OR_RETURN(vector, DeviceBuffer::allocate(sizeof(Fr) << log_size));
    (void)cudaMemcpy(vector.data(), values.data(), vector.size(), cudaMemcpyHostToDevice);
  }
  (void)cudaDeviceSynchronize();
  Fr* a = vectors[0].as<Fr>();
  Fr* b = vectors[1].as<Fr>();
  Fr* c = vectors[2].as<Fr>();
  const cudaStream_t s = stream.get();
  const char* name = Curve::kName;
  BATON_RETURN_IF_ERROR(measure(s, "inverse", log_size, name, [&] { return domain.inverse(a, a, s); }));
  BATON_RETURN_IF_ERROR(measure(s, "forward", log_size, name, [&] { return domain.forward(a, a, s); }));
  BATON_RETURN_IF_ERROR(
      measure(s, "pair to coset", log_size, name, [&] { return domain.to_coset(b, b, s); }));
  BATON_RETURN_IF_ERROR(
      measure(s, "quotient", log_size, name, [&] { return domain.quotient(a, b, c, true, s); }));
  std::printf("%-10s 2^%-2u tables %zu MiB, built in %.1f ms\n", name, log_size,
              NttDomain<Fr>::bytes(log_size) >> 20, build_ms);
  return {};
}

Status run(const std::vector<std::string>& arguments) {
  std::vector<unsigned> sizes;
  for (const std::string& argument : arguments) {
    sizes.push_back(static_cast<unsigned>(std::atoi(argument.c_str())));
  }
  for (const unsigned log_size : sizes.empty() ? std::vector<unsigned>{16, 18, 20, 22, 24, 26} : sizes) {
    BATON_RETURN_IF_ERROR(bench_transforms<Bn254>(log_size));
    BATON_RETURN_IF_ERROR(bench_transforms<Bls12_381>(log_size));
  }
  return {};
}

}  // namespace
}  // namespace baton::test

int main(int argc, char** argv) {
  const auto devices = baton::list_devices();
  if (!devices.is_ok() || devices->empty()) {
    std::printf("no CUDA device: nothing measured\n");
    return 0;
  }
  const baton::Status status = baton::test::run({argv + 1, argv + argc});
  if (!status.is_ok()) {
    std::printf("%s\n", status.to_string().c_str());
    return 1;
  }
  return 0;
}
