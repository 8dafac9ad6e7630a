/// The files of a folder as drives (BM-51, BM-240): for tests with file systems that fail on
/// demand. Start at [FolderManager].
@NullMarked
package dev.berth.driver.baremetal.manager.folder;

import org.jspecify.annotations.NullMarked;
