package dev.berth.driver.baremetal.decide;

import static dev.berth.driver.baremetal.decide.ModelObjects.annotated;
import static dev.berth.driver.baremetal.decide.ModelObjects.changed;
import static dev.berth.driver.baremetal.decide.ModelObjects.replaced;
import static dev.berth.driver.baremetal.decide.ModelObjects.sharing;
import static dev.berth.driver.baremetal.decide.ModelObjects.with;

import dev.berth.driver.baremetal.decide.ReplacementModel.Reached;
import dev.berth.driver.baremetal.object.CsiStatus;
import dev.berth.driver.baremetal.object.DriveIdentity;
import dev.berth.driver.baremetal.object.Health;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.driver.baremetal.object.Presence;
import dev.berth.driver.baremetal.object.Share;
import dev.berth.driver.baremetal.object.Sharing;
import dev.berth.kube.object.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/// Random sequences of what drives, people, volumes and other writers do.
final class ReplacementSequence {
  private final long seed;
  private final Random random;
  private final ReplacementModel model;

  ReplacementSequence(long seed) {
    this(seed, new Reached());
  }

  ReplacementSequence(long seed, Reached reached) {
    this.seed = seed;
    this.random = new Random(seed * 0x9E3779B97F4A7C15L);
    this.model = new ReplacementModel(random, reached);
  }

  /// @return what was broken, and how it came to that; empty: nothing
  String run(int steps) {
    model.pass();
    model.tell("the machine lives on " + model.system());
    for (int step = 0; step < steps && model.violation().isEmpty(); step++) {
      something();
      model.check();
    }
    if (model.violation().isEmpty()) model.rest();
    return model.violation().isEmpty()
        ? ""
        : "seed %d: %s%n  %s".formatted(seed, model.violation(), String.join("\n  ", model.told()));
  }

  private void something() {
    var identity = ReplacementModel.DRIVES.get(random.nextInt(ReplacementModel.DRIVES.size()));
    var drive = ObjectKey.cluster(identity.uuidOn(ReplacementModel.NODE));
    var volume = LocalVolume.key("v" + random.nextInt(3));
    switch (random.nextInt(16)) {
      case 0 -> measured(identity);
      case 1 -> {
        if (model.plugged().remove(identity) == null) model.plugged().put(identity, Health.GOOD);
        model.tell("plug or pull " + identity.serial());
      }
      case 2 -> word(drive, "health", "good", "bad", "suspect", "unknown", "");
      case 3 -> word(drive, "removal", "ready", "");
      case 4 -> word(drive, "action", "add", "remove", "");
      case 5 -> word(drive, "status/" + volume.name(), "RELEASED", "");
      case 6, 7 -> release(volume);
      case 8 -> claim(volume, drive);
      case 9 -> delete(volume);
      case 10 -> model.tell("nothing");
      case 11, 12 -> model.pass();
      default -> {
        for (int i = 0; i < 3; i++) {
          model.decideDrive(drive);
          model.decideVolume(volume);
          model.check();
        }
      }
    }
  }

  private void measured(DriveIdentity drive) {
    if (!model.plugged().containsKey(drive)) return;
    var health = Health.values()[random.nextInt(Health.values().length)];
    model.plugged().put(drive, health);
    model.tell("%s is %s".formatted(drive.serial(), health));
  }

  private String oneOf(String... words) {
    return words[random.nextInt(words.length)];
  }

  private void word(ObjectKey key, String annotation, String... words) {
    var drive = model.drive(key);
    if (drive == null) return;
    var word = oneOf(words);
    model.tell("annotate %s %s=%s".formatted(drive.identity().serial(), annotation, word));
    model.put(
        with(
            drive,
            annotated(drive.meta(), annotation, word),
            drive.claimant(),
            drive.claimantUid(),
            drive.pendingWipe(),
            drive.observed(),
            drive.looked()));
  }

  private void release(ObjectKey key) {
    var volume = model.volume(key);
    if (volume == null) return;
    var word = oneOf("processing", "done", "failed", "");
    model.tell("annotate %s release=%s".formatted(volume.id(), word));
    model.put(changed(volume, annotated(volume.meta(), "release", word), volume.status()));
  }

  /// A controller that may have seen an older drive than the server has.
  private void claim(ObjectKey key, ObjectKey drive) {
    var there = model.drive(drive);
    var shown = model.shown(drive);
    boolean share = random.nextBoolean();
    if (model.volume(key) != null || there == null || shown.isEmpty()) return;
    if (share ? shown.get().room() < ReplacementModel.SHARE : !shown.get().available()) return;
    if (!model.same(shown.get(), there)) return;
    model.reached().claims++;
    var volume = ModelObjects.volume(model.meta(key), there, share);
    model.tell(
        "%s claims %s of %s"
            .formatted(volume.id(), share ? "a share" : "all", there.identity().serial()));
    if (share) {
      var shares = new ArrayList<>(there.sharing().shares());
      shares.add(Share.of(volume.meta(), ReplacementModel.SHARE));
      model.put(sharing(there, new Sharing(shares, there.sharing().begun()), there.pendingWipe()));
    } else
      model.put(
          with(
              there,
              there.meta(),
              Optional.of(key.toString()),
              volume.meta().uid(),
              Optional.empty(),
              there.observed(),
              there.looked()));
    model.put(volume);
  }

  /// As `DeleteVolume` does it.
  private void delete(ObjectKey key) {
    var volume = model.volume(key);
    if (volume == null || volume.status() == CsiStatus.REMOVING) return;
    model.tell("delete " + volume.id());
    var drive = model.drive(ObjectKey.cluster(volume.location()));
    if (drive == null || !drive.claimedBy(volume.meta())) {
      model.remove(volume);
      return;
    }
    if (drive.observed().presence() == Presence.OFFLINE) {
      model.reached().wipedLater++;
      var share = drive.sharing().of(volume.meta());
      if (share.isPresent()) {
        var left = new Share(share.get().volume(), share.get().uid(), ReplacementModel.SHARE, true);
        model.put(sharing(drive, replaced(drive, share.get(), List.of(left)), drive.pendingWipe()));
      } else
        model.put(
            with(
                drive,
                drive.meta(),
                drive.claimant(),
                drive.claimantUid(),
                drive.claimant(),
                drive.observed(),
                drive.looked()));
      model.remove(volume);
      return;
    }
    model.put(changed(volume, volume.meta(), CsiStatus.REMOVING));
  }
}
