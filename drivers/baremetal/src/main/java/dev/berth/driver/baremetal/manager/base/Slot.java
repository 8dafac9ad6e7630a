package dev.berth.driver.baremetal.manager.base;

import dev.berth.driver.baremetal.manager.DriveManager.Led;
import dev.berth.driver.baremetal.manager.DriveManager.Locate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// The place of a drive in an enclosure that the kernel knows (SES), with its lamp (BM-147).
///
/// @param folder of the slot in sysfs
record Slot(Path folder) {
  private static final String LINKS = "enclosure_device:*";

  /// Empty: the drive is in no enclosure, or the kernel does not know in which.
  static Optional<Slot> of(SysfsDisk disk) {
    try (var links = Files.newDirectoryStream(disk.folder().resolve("device"), LINKS)) {
      for (var link : links)
        if (Files.exists(link.resolve("locate"))) return Optional.of(new Slot(link));
    } catch (IOException _) {
      // it has just gone, or has no such folder
    }
    return Optional.empty();
  }

  Led led() {
    return switch (SysfsDisks.text(folder.resolve("locate"))) {
      case "0" -> Led.OFF;
      case "" -> Led.NOT_AVAILABLE;
      default -> Led.ON;
    };
  }

  Led locate(Locate what) throws IOException {
    if (what != Locate.STATUS)
      Files.writeString(folder.resolve("locate"), what == Locate.START ? "1" : "0");
    return led();
  }
}
