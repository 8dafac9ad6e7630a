package dev.berth.sidecar.provisioner;

import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.Volume;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.volume.Binding;
import dev.berth.volume.Translation;
import io.grpc.Status;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// From the driver's answer to its PersistentVolume: what is made stays known until it is saved or
/// deleted again, in memory; once saving has failed, that it was made stands in the claim, too, so
/// that no refusal of the driver takes it for never made (PROV-105, PROV-191).
final class MadeVolumes {
  private static final Logger LOG = LoggerFactory.getLogger(MadeVolumes.class);

  private final String driver;
  private final Api api;
  private final EventRecorder events;
  private final ClaimWrites claims;
  private final NewVolume newVolume;
  private final CleanUp cleanUp;
  private final Provenance provenance;

  /// Answers whose PersistentVolume the server would not take, by the claim's uid.
  private final Map<String, Volume> unsaved = new ConcurrentHashMap<>();

  /// Claims, by uid, whose volume the driver has made and of which nobody knows whether it is
  /// saved: no refusal takes that back.
  private final Set<String> made = ConcurrentHashMap.newKeySet();

  MadeVolumes(
      String driver,
      Api api,
      EventRecorder events,
      NewVolume newVolume,
      CleanUp cleanUp,
      Provenance provenance) {
    this.driver = driver;
    this.api = api;
    this.events = events;
    this.newVolume = newVolume;
    this.cleanUp = cleanUp;
    this.provenance = provenance;
    claims = new ClaimWrites(api);
  }

  /// What the driver has answered already; the last asking takes it out of memory.
  Optional<Volume> take(VolumePlan plan) {
    return Optional.ofNullable(unsaved.remove(plan.claim().meta().uid()));
  }

  /// Whether the driver has made the claim's volume, as far as this process or the claim knows.
  boolean has(VolumePlan plan) {
    return made.contains(plan.claim().meta().uid()) || plan.intent().made();
  }

  void forget(Claim claim) {
    made.remove(claim.meta().uid());
    unsaved.remove(claim.meta().uid());
  }

  /// @param claim as it now is
  void save(VolumePlan plan, Claim claim, Volume created, Map<String, String> texts) {
    made.add(claim.meta().uid());
    try {
      api.create(Resources.VOLUMES, newVolume.describe(plan, created));
    } catch (ApiException refused) {
      if (refused instanceof ApiException.LostRace lost && lost.nameTaken())
        checkSaved(plan, claim, created, texts);
      else {
        if (refused.code() != 0) unsaved.put(plan.claim().meta().uid(), created); // PROV-105
        events.tell(
            Complaint.event(
                claim,
                "volume %s is created but cannot be saved: %s"
                    .formatted(created.getVolumeId(), refused.getMessage()))); // PROV-106
        note(plan, claim, created);
        throw refused;
      }
    }
    made.remove(claim.meta().uid());
  }

  /// So that whoever comes after this process knows. Where even that fails, he asks the driver
  /// anyway.
  private void note(VolumePlan plan, Claim claim, Volume created) {
    if (plan.intent().made()) return;
    try {
      provenance.wrote(claims.note(claim, plan.intent().asMade()));
    } catch (ApiException unnoted) {
      LOG.warn(
          "volume {} of claim {} is created, not saved, and not noted in the claim: {}",
          created.getVolumeId(),
          claim.meta().key(),
          unnoted.getMessage());
    }
  }

  /// Saved before, unless the name is another claim's or another volume's (PROV-106, PROV-191b).
  private void checkSaved(VolumePlan plan, Claim claim, Volume created, Map<String, String> texts) {
    var name = ObjectKey.cluster(plan.intent().volume());
    var saved = Kinds.VOLUME.read().apply(api.get(Resources.VOLUMES, name));
    var source = Translation.NONE.source(saved);
    boolean sameVolume =
        source
            .filter(it -> it.driver().equals(driver))
            .filter(it -> it.handle().equals(created.getVolumeId()))
            .isPresent();
    if (sameVolume && Binding.holds(saved, plan.claim())) return;
    var orphan = "";
    if (sameVolume) forget(claim);
    else orphan = delete(plan, claim, created, texts).left();
    throw new CsiException(
        Status.Code.ABORTED,
        "persistentvolume %s is already there with volume %s for another claim or volume%s"
            .formatted(name, source.map(it -> it.handle()).orElse("none"), orphan));
  }

  /// What a deletion has come to.
  ///
  /// @param claim as it now is
  /// @param left what is left to say, for people; empty: the volume has gone
  record Deleted(Claim claim, String left) {}

  /// Deletes what was made. That it was is forgotten first: lost between, it is made once more, and
  /// never saved when it has gone.
  Deleted delete(VolumePlan plan, Claim claim, Volume volume, Map<String, String> texts) {
    var now = claim;
    if (plan.intent().made()) {
      now = claims.note(claim, plan.intent().asGone());
      provenance.wrote(now);
    }
    forget(claim);
    return new Deleted(now, cleanUp.delete(plan.intent().volume(), volume, texts));
  }
}
