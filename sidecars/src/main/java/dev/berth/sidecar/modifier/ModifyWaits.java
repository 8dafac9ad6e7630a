package dev.berth.sidecar.modifier;

import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.AttributesClass;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.ClaimCondition;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.Ref;
import java.time.Instant;

/// The sentences of [ModificationDecision].
final class ModifyWaits {
  private static final String CLASS_NAME = "spec.volumeAttributesClassName";

  private final String driver;

  ModifyWaits(String driver) {
    this.driver = driver;
  }

  Wait untilVolumeExists(Claim claim, Ref volume) {
    return Wait.on(volume)
        .since(claim.meta().created())
        .until("volume %s exists, to be given other attributes".formatted(volume.key().name()))
        .remedy("create the PersistentVolume again, with the same driver and volumeHandle");
  }

  /// Told in upstream's words (RSZ-83).
  Wait untilClassExists(Claim claim, Ref attributes) {
    var name = attributes.key().name();
    return Wait.on(attributes)
        .since(began(claim))
        .until("VolumeAttributesClass %s exists".formatted(name))
        .remedy("create VolumeAttributesClass %s, or name another one in the claim".formatted(name))
        .tell(failed(claim, "VAC \"%s\" does not exist.".formatted(name)));
  }

  Wait untilTriedAgain(Claim claim, Instant again) {
    var error = claim.condition(ClaimCondition.MODIFY_VOLUME_ERROR).orElseThrow();
    return Wait.on(claim.ref(), CLASS_NAME)
        .since(error.since().orElse(began(claim)))
        .until(
            "driver %s is asked for the attributes of class %s once more; it refused them: %s"
                .formatted(driver, claim.attributesClassName(), error.message()))
        .remedy("name another VolumeAttributesClass in the claim")
        .lookAgainAt(again);
  }

  Wait untilOtherClass(Claim claim, AttributesClass attributes) {
    return Wait.on(claim.ref(), CLASS_NAME)
        .since(began(claim))
        .until("the claim names a VolumeAttributesClass of driver " + driver)
        .remedy("name one whose driverName is " + driver)
        .tell(failed(claim, foreign(attributes)));
  }

  String foreign(AttributesClass attributes) {
    return "VolumeAttributesClass %s is for driver %s, and the volume is one of driver %s"
        .formatted(attributes.meta().name(), attributes.driver(), driver);
  }

  private static Notice failed(Claim claim, String text) {
    return Notice.warning(claim.ref(), Reasons.VOLUME_MODIFY_FAILED, text);
  }

  private static Instant began(Claim claim) {
    return claim
        .condition(ClaimCondition.MODIFYING_VOLUME)
        .flatMap(ClaimCondition::since)
        .orElse(claim.meta().created());
  }
}
