package dev.berth.sidecar.provisioner;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Volume.SecretRef;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.sidecar.provisioner.intent.Intent;
import dev.berth.sidecar.secret.SecretUse;
import dev.berth.sidecar.source.UnusableSource;
import dev.berth.volume.request.SecretReader;
import java.util.Map;
import java.util.Optional;

/// What is looked up and checked before a driver is asked for a volume, and told of the claim where
/// it is not as it has to be.
final class Groundwork {
  private final Api api;
  private final EventRecorder events;
  private final SecretReader secrets;
  private final Provenance provenance;
  private final Lookups lookups;

  Groundwork(Api api, EventRecorder events, Provenance provenance, Lookups lookups) {
    this.api = api;
    this.events = events;
    this.provenance = provenance;
    this.lookups = lookups;
    secrets = new SecretReader(api);
  }

  /// What is gone on with was begun by us, or by one who could have begun it.
  void checkProvenance(VolumePlan plan) {
    try {
      provenance.check(plan.claim(), plan.intent());
    } catch (ApiException.LostRace lost) {
      throw lost; // nothing to tell anybody
    } catch (Provenance.Doubtful | UnusableSource | UnusableAttributes | ApiException doubtful) {
      complain(plan.claim(), message(doubtful));
      throw doubtful;
    }
  }

  /// With what the volume is to be filled from.
  Intent withSource(VolumePlan plan) {
    try {
      return lookups.source(plan.claim(), plan.intent());
    } catch (ApiException.LostRace lost) {
      throw lost; // nothing to tell anybody
    } catch (UnusableSource | ApiException unusable) {
      complain(plan.claim(), message(unusable));
      throw unusable;
    }
  }

  /// With what the claim's attributes class says.
  Intent withAttributes(VolumePlan plan) {
    try {
      return lookups.attributes(plan.claim(), plan.intent());
    } catch (UnusableAttributes | ApiException unusable) {
      complain(plan.claim(), message(unusable));
      throw unusable;
    }
  }

  /// The caches may not show what an earlier attempt has come to: a write's answer gets lost, and
  /// watches lag. A request that is sent after the volume was saved may hang until that is deleted,
  /// and then create another that nobody knows (PROV-191b; seed 412 of SimulationTest).
  ///
  /// @throws ApiException.LostRace if the volume is saved or the claim let go; the caches then show
  void checkUnsaved(VolumePlan plan) {
    var seen = plan.claim().meta();
    boolean same =
        find(Resources.CLAIMS, seen.key())
            .map(Meta::of)
            .filter(now -> now.uid().equals(seen.uid()))
            .filter(now -> intent(now).equals(intent(seen)))
            .isPresent();
    if (!same)
      throw new ApiException.LostRace(
          "claim %s is no longer what volume %s was begun for"
              .formatted(seen.key(), plan.intent().volume()));
    var name = ObjectKey.cluster(plan.intent().volume());
    if (find(Resources.VOLUMES, name).isPresent())
      throw new ApiException.LostRace("persistentvolume %s is already there".formatted(name));
  }

  private static Optional<String> intent(Meta claim) {
    return claim.annotation(Annotations.PROVISIONING_INTENT);
  }

  private Optional<ObjectNode> find(Resource resource, ObjectKey key) {
    try {
      return Optional.of(api.get(resource, key));
    } catch (ApiException refused) {
      if (!refused.isNotFound()) throw refused;
      return Optional.empty();
    }
  }

  Map<String, String> secretTexts(VolumePlan plan) {
    var secret = plan.secrets().of(SecretUse.PROVISION);
    try {
      return secrets.read(secret);
    } catch (ApiException unreadable) { // PROV-55, in upstream's words
      complain(
          plan.claim(),
          "error getting secret %s in namespace %s: %s"
              .formatted(
                  secret.map(SecretRef::name).orElse(""),
                  secret.map(SecretRef::namespace).orElse(""),
                  unreadable.getMessage()));
      throw unreadable;
    }
  }

  private void complain(Claim claim, String why) {
    events.tell(Complaint.event(claim, why));
  }

  private static String message(RuntimeException failure) {
    return String.valueOf(failure.getMessage());
  }
}
