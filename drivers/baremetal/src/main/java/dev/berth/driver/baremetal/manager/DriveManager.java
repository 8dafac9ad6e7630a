package dev.berth.driver.baremetal.manager;

import dev.berth.driver.baremetal.object.Drive;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Knows the drives of one node. [#drives] and [#locate] are called by one thread at a time.
public interface DriveManager extends AutoCloseable {
  /// The lamp by which a drive is found in its rack.
  enum Led {
    OFF,
    ON,
    /// This drive, or this manager, has none: no reason to wait for it (BM-143).
    NOT_AVAILABLE
  }

  /// What to do with the lamp.
  enum Locate {
    START,
    STOP,
    STATUS
  }

  /// All drives that the node has now. One that is there and cannot be looked at is among them,
  /// with unknown health (BM-54).
  ///
  /// @throws IOException if nothing can be said of any drive: none of them counts as gone
  List<FoundDrive> drives() throws IOException;

  /// The device node of a drive at this moment, told by its serial number and whatever else is
  /// known of it (BM-55); empty: the node does not have it. May be called by any thread at any
  /// time.
  ///
  /// @throws IOException if nobody can say that now, as of a disk that has just come: it may be the
  ///   drive, and may be another
  Optional<Path> find(Drive drive) throws IOException;

  /// Whether there is anything that may be a drive which [#find] does not find: it has a serial
  /// number of it, and may have changed otherwise (BM-23). May be called by any thread at any time.
  default boolean mayBeThere(Drive drive) throws IOException {
    return find(drive).isPresent();
  }

  /// Why nobody may have a drive, as [FoundDrive#obstacles] has it, but asked of the device at this
  /// moment; a drive that is not there says so. May be called by any thread at any time.
  List<String> obstacles(Drive drive) throws IOException;

  /// Turns a drive's lamp on or off, or asks for it.
  Led locate(Drive drive, Locate what) throws IOException;

  /// Says which drives are registered here: what may be one of these is not taken for another.
  /// Until then a drive is found only by what it says of itself now.
  default void heed(KnownDrives known) {}

  /// Runs `nudge` whenever [#drives] may answer otherwise than last time, from any thread.
  default void onChange(Runnable nudge) {}

  @Override
  void close();
}
