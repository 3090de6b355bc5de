#pragma once

/// Marks a function that is compiled for the host and, under nvcc, for the device too.
#ifdef __CUDACC__
#define BATON_HOST_DEVICE __host__ __device__
#else
#define BATON_HOST_DEVICE
#endif
