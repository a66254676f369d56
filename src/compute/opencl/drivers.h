// Which OpenCL drivers there are.
#pragma once

namespace caprock::opencl {

// OCL_ICD_FILENAMES names driver libraries that are not registered on the system, as the Khronos loader takes
// it. Debian's loader knows OCL_ICD_VENDORS only; this makes it see both. Call before the first call of
// OpenCL.
void honour_named_drivers();

}  // namespace caprock::opencl
