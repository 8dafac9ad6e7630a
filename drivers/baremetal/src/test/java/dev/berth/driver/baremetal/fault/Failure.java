package dev.berth.driver.baremetal.fault;

import dev.berth.driver.baremetal.object.Health;
import java.nio.file.Path;
import java.util.List;

/// A way for a drive to fail, and what is then to be told.
///
/// @param words what happens, for people
/// @param place what its image lies on: one of [FailingPlaces]
/// @param type of file system; `raw`: none
/// @param reasons what is told, any of them; empty: nothing, and rightly
/// @param drive what its drive comes to
public record Failure(
    String words, String place, String type, Failing failing, List<String> reasons, Health drive) {
  public Failure {
    reasons = List.copyOf(reasons);
  }

  /// Makes it happen.
  public interface Failing {
    void begin(Victim victim) throws Exception;
  }

  /// A volume that it happens to.
  ///
  /// @param id of the volume
  /// @param staged where it is staged; a raw one nowhere
  /// @param published where it is published
  /// @param device of its drive
  /// @param image file of its drive
  public record Victim(
      Failure failure, String id, Path staged, Path published, Path device, Path image) {
    public boolean isTold() {
      return !failure.reasons.isEmpty();
    }
  }

  static Failure of(String words, String place, String type, Failing failing) {
    return new Failure(words, place, type, failing, List.of(), Health.GOOD);
  }

  /// Of the volume, and nothing of its drive.
  Failure told(String... reasons) {
    return new Failure(words, place, type, failing, List.of(reasons), Health.GOOD);
  }

  /// Of the volume, and of its drive, which is suspected (BM-77).
  Failure suspected(String... reasons) {
    return new Failure(words, place, type, failing, List.of(reasons), Health.SUSPECT);
  }

  public boolean raw() {
    return type.equals("raw");
  }

  /// Without the time that it took.
  public String row() {
    var told = isSilent() ? "nothing" : "`" + String.join("` or `", reasons) + "`";
    return "| %s | %s | %s |".formatted(words, told, drive == Health.GOOD ? "" : drive.name());
  }

  private boolean isSilent() {
    return reasons.isEmpty();
  }
}
