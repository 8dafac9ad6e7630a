package dev.berth.cli.drives;

import dev.berth.driver.baremetal.object.CsiStatus;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.DriveCondition;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.driver.baremetal.object.Marks;
import dev.berth.driver.baremetal.object.Presence;
import java.util.List;
import java.util.Map;

/// A drive's way out of service, as far as whoever types `berth drives replace` leads it: that it
/// is to go, and that it may be removed. What the drive waits for is its own decision's word.
///
/// @param drive as it is now
/// @param volumes on it
/// @param intent what has been said on the command line
public record Replacing(Drive drive, List<LocalVolume> volumes, Intent intent) {
  public Replacing {
    volumes = List.copyOf(volumes);
  }

  /// What the operator vouches for.
  ///
  /// @param dataMoved the data of all volumes on it is somewhere else, or not needed
  /// @param force it counts as removed though a release has failed
  public record Intent(boolean dataMoved, boolean force) {}

  /// What is next.
  public sealed interface Next {
    /// Annotations to be set; those of volumes by their ids.
    record Write(Map<String, String> drive, List<LocalVolume> released) implements Next {
      public Write {
        drive = Map.copyOf(drive);
        released = List.copyOf(released);
      }
    }

    /// Its node is at it.
    record Passing() implements Next {}

    /// Somebody has to do something.
    ///
    /// @param what is waited for, and how it goes on
    /// @param left volumes whose pods and claims have to be deleted; empty: that is not it
    record Person(String what, List<LocalVolume> left) implements Next {
      public Person {
        left = List.copyOf(left);
      }
    }

    /// It can be pulled.
    record Pull() implements Next {}
  }

  public Next next() {
    return switch (drive.observed().usage()) {
      case IN_USE -> fromService();
      case RELEASING -> releasing();
      case RELEASED -> isAllowed() ? new Next.Passing() : write(Map.of(Marks.REMOVAL, Marks.READY));
      case REMOVING -> removing();
      case REMOVED ->
          drive.observed().presence() == Presence.ONLINE ? new Next.Pull() : new Next.Passing();
      case FAILED -> failed();
    };
  }

  /// A drive whose replacement is asked for counts as failing from now on, whatever it says itself.
  private Next fromService() {
    if (drive.observed().system())
      return new Next.Person(
          "the machine itself lives on it: it is replaced with the machine", List.of());
    boolean said = drive.override().filter(it -> it.failing()).isPresent();
    return said && isAllowed()
        ? new Next.Passing()
        : write(Map.of(Marks.HEALTH, "bad", Marks.REMOVAL, Marks.READY));
  }

  private Next releasing() {
    if (!isAllowed()) return write(Map.of(Marks.REMOVAL, Marks.READY));
    var left = volumes.stream().filter(it -> !isReleased(it)).toList();
    if (left.isEmpty()) return new Next.Passing();
    if (intent.dataMoved) return new Next.Write(Map.of(), left);
    return new Next.Person(
        message() + "; if that is done, or the data is not needed: --data-moved", List.of());
  }

  private Next removing() {
    var left =
        volumes.stream()
            .filter(it -> it.status() != CsiStatus.REMOVING && it.status() != CsiStatus.REMOVED)
            .toList();
    return left.isEmpty() ? new Next.Passing() : new Next.Person(message(), left);
  }

  private Next failed() {
    if (intent.force) return write(Map.of(Marks.ACTION, Marks.REMOVE));
    return new Next.Person(message() + "; --force is action=remove", List.of());
  }

  private boolean isAllowed() {
    return drive.word(Marks.REMOVAL).equals(Marks.READY);
  }

  private boolean isReleased(LocalVolume volume) {
    return volume.meta().annotation(Marks.RELEASE).orElse("").equalsIgnoreCase(Marks.DONE);
  }

  private String message() {
    return Sheet.what(drive)
        .map(DriveCondition::message)
        .orElse("its node has not said what it waits for");
  }

  private static Next write(Map<String, String> annotations) {
    return new Next.Write(annotations, List.of());
  }
}
