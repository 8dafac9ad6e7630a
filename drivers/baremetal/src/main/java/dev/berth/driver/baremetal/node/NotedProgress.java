package dev.berth.driver.baremetal.node;

import dev.berth.driver.baremetal.decide.Wishes;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.Wiping;
import dev.berth.driver.baremetal.registry.Registry;
import dev.berth.kube.api.ApiException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// How far the wipe of a drive has come, in the drive's object. It goes on also when nobody can
/// note that.
///
/// @param drive as the server has it when the wipe begins
/// @param of what the wipe is for
/// @param exact whether it is for what was there when it began, and for nothing that came later
record NotedProgress(Registry registry, Drive drive, String of, boolean exact)
    implements Erasure.Progress {
  private static final Logger log = LoggerFactory.getLogger(NotedProgress.class);

  @Override
  public long done() {
    return drive.wiping().filter(it -> it.of().equals(of)).map(Wiping::done).orElse(0L);
  }

  @Override
  public void note(long bytes) {
    try {
      begin(bytes);
    } catch (ApiException failed) {
      log.warn(
          "nobody learns that {} bytes of drive {} are wiped: {}",
          bytes,
          drive.identity(),
          failed.getMessage());
    }
  }

  /// Of what takes the bytes of a volume off, whoever does it: all that is on the drive is its.
  static NotedProgress ofVolume(Registry registry, Drive drive, String uid) {
    return new NotedProgress(registry, drive, "volume " + uid, false);
  }

  /// Of what takes off what a person has read of (BM-211).
  static NotedProgress ofReview(Registry registry, Drive drive, String reviewed) {
    return new NotedProgress(registry, drive, Wishes.purpose(reviewed), true);
  }

  @Override
  public void lost() throws Erasure.Touched {
    if (exact) throw new Erasure.Touched(drive.shortName());
  }

  /// Whether an earlier process has begun it.
  boolean isBegun() {
    return drive.wiping().filter(it -> it.of().equals(of)).isPresent();
  }

  /// [#note], which is not to fail.
  void begin(long bytes) {
    registry.noteWiping(drive.meta(), Optional.of(new Wiping(of, bytes)));
  }

  /// It has come to its end, and what it was for is written: before that, whoever comes next would
  /// begin anew.
  void end() {
    if (registry.drive(drive.meta().key()).filter(it -> it.wiping().isPresent()).isPresent())
      registry.noteWiping(drive.meta(), Optional.empty());
  }
}
