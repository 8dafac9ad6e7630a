/// Compressed memory as drives (BM-51, BM-240), which forget all with the machine. Start at
/// [ZramManager].
@NullMarked
package dev.berth.driver.baremetal.manager.zram;

import org.jspecify.annotations.NullMarked;
