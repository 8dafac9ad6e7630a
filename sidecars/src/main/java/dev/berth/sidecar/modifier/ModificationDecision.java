package dev.berth.sidecar.modifier;

import dev.berth.csi.v1.ControllerModifyVolumeRequest;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.AttributesClass;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.ClaimCondition;
import dev.berth.kube.model.ClaimModification;
import dev.berth.kube.model.ClaimModification.State;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.Volume.CsiSource;
import dev.berth.kube.model.Volume.SecretRef;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.modifier.ModifierOptions.Names;
import dev.berth.sidecar.modifier.ModifyEffect.Begun;
import dev.berth.sidecar.modifier.ModifyEffect.Cancel;
import dev.berth.sidecar.modifier.ModifyEffect.MarkPending;
import dev.berth.sidecar.modifier.ModifyEffect.Modify;
import dev.berth.sidecar.modifier.ModifyEffect.Refuse;
import dev.berth.volume.Translation;
import java.time.Instant;
import java.util.Optional;

/// Takes one claim's volume to the attributes that the claim asks for (spec/resizer.md, section 5).
final class ModificationDecision {
  private static final String CLAIM_NAME = "csi.storage.k8s.io/pvc/name";
  private static final String CLAIM_NAMESPACE = "csi.storage.k8s.io/pvc/namespace";
  private static final String VOLUME_NAME = "csi.storage.k8s.io/pv/name";

  private final DriverFacts facts;
  private final String driver;
  private final ModifierOptions options;
  private final ModifyWaits waits;

  ModificationDecision(DriverFacts facts, ModifierOptions options) {
    this.facts = facts;
    driver = facts.name();
    this.options = options;
    waits = new ModifyWaits(driver);
  }

  Step decide(View view, ObjectKey key) {
    return switch (view.claim(key)) {
      case Missing<Claim> _ -> new Settled();
      case Found(var claim) when claim.phase() != Claim.Phase.BOUND -> new Settled(); // RSZ-80
      case Found(var claim) when isDone(claim) -> new Settled(); // RSZ-81, line 2
      case Found(var claim) ->
          switch (view.volumeOf(claim)) {
            case Missing<Volume>(var pv) -> waits.untilVolumeExists(claim, pv);
            case Found(var pv) when !ours(claim, pv) -> new Settled(); // RSZ-80
            case Found(var pv) -> modify(view, claim, pv);
          };
    };
  }

  /// RSZ-81, its other lines.
  private Step modify(View view, Claim claim, Volume pv) {
    var wanted = claim.attributesClassName();
    boolean inProgress = is(claim, State.IN_PROGRESS);
    var slow = slowUntil(claim).filter(view.now()::isBefore);
    if (slow.isPresent()) return waits.untilTriedAgain(claim, slow.get());
    if (wanted.isEmpty() && !inProgress) return rolledBack(claim);
    // RSZ-82
    if (inProgress && (wanted.isEmpty() || !hasFailed(claim))) return goOn(view, claim, pv);
    return switch (view.attributesClass(wanted)) {
      case Missing<AttributesClass>(var ref) -> {
        var until = waits.untilClassExists(claim, ref); // RSZ-83, RSZ-90
        yield is(claim, State.PENDING)
            ? until
            : new Act(new MarkPending(claim.meta().key(), new Seen<>(claim))).then(until);
      }
      case Found(var it) when !it.driver().equals(driver) -> refuse(claim, it); // RSZ-92
      case Found(var it) -> new Act(modify(claim, pv, it, Begun.NOT_YET));
    };
  }

  /// How the last attempt ended is not known, or nobody says what he wants instead.
  private Step goOn(View view, Claim claim, Volume pv) {
    var target = claim.modification().map(ClaimModification::target).orElse("");
    return switch (view.attributesClass(target)) {
      case Missing<AttributesClass>(var ref) -> waits.untilClassExists(claim, ref);
      // RSZ-82: that it is under way again has to be written down first
      case Found(var it) ->
          new Act(modify(claim, pv, it, hasFailed(claim) ? Begun.NOT_YET : Begun.BEFORE));
    };
  }

  private Step rolledBack(Claim claim) {
    return claim.condition(ClaimCondition.MODIFYING_VOLUME).isPresent()
        ? new Act(new Cancel(claim.meta().key(), new Seen<>(claim)))
        : new Settled();
  }

  private Step refuse(Claim claim, AttributesClass attributes) {
    var name = attributes.meta().name();
    var until = waits.untilOtherClass(claim, attributes);
    boolean told =
        claim.modification().equals(Optional.of(new ClaimModification(name, State.INFEASIBLE)));
    return told
        ? until
        : new Act(
                new Refuse(claim.meta().key(), name, waits.foreign(attributes), new Seen<>(claim)))
            .then(until);
  }

  private Modify modify(Claim claim, Volume pv, AttributesClass attributes, Begun begun) {
    var source = Translation.NONE.source(pv).orElseThrow();
    var request =
        ControllerModifyVolumeRequest.newBuilder()
            .setVolumeId(source.handle())
            .putAllMutableParameters(attributes.parameters());
    // RSZ-84
    if (options.names() == Names.TOLD)
      request
          .putMutableParameters(CLAIM_NAME, claim.meta().name())
          .putMutableParameters(CLAIM_NAMESPACE, claim.meta().namespace())
          .putMutableParameters(VOLUME_NAME, pv.meta().name());
    return new Modify(
        claim.meta().key(),
        attributes.meta().name(),
        begun,
        request.build(),
        secret(pv, source),
        new Seen<>(claim),
        new Seen<>(pv));
  }

  /// RSZ-85.
  private static Optional<SecretRef> secret(Volume pv, CsiSource source) {
    var name = pv.meta().annotation(Annotations.MODIFY_SECRET_NAME).orElse("");
    var namespace = pv.meta().annotation(Annotations.MODIFY_SECRET_NAMESPACE).orElse("");
    return name.isEmpty() || namespace.isEmpty()
        ? source.controllerExpandSecret()
        : Optional.of(new SecretRef(namespace, name));
  }

  /// Whether the volume has what its claim asks for.
  static boolean isDone(Claim claim) {
    return claim.modification().isEmpty()
        && claim.attributesClassName().equals(claim.currentAttributesClass());
  }

  /// Whether the last attempt has failed for certain: nothing is under way. What does not say so
  /// may still be (RSZ-82); upstream takes all that it finds at its start for that.
  private static boolean hasFailed(Claim claim) {
    return claim
        .condition(ClaimCondition.MODIFYING_VOLUME)
        .filter(it -> ModifyStatus.tellsOfFailure(it.message()))
        .isPresent();
  }

  /// When a class that was found infeasible may be tried again; conditions have whole seconds.
  private Optional<Instant> slowUntil(Claim claim) {
    var wanted = new ClaimModification(claim.attributesClassName(), State.INFEASIBLE);
    if (!claim.modification().equals(Optional.of(wanted))) return Optional.empty();
    return claim
        .condition(ClaimCondition.MODIFY_VOLUME_ERROR)
        .filter(it -> !it.reason().equals(ModifyStatus.OTHER_DRIVER)) // no driver was asked
        .flatMap(ClaimCondition::probed)
        .map(last -> last.plusSeconds(1).plus(options.slow()));
  }

  private static boolean is(Claim claim, State state) {
    return claim.modification().map(ClaimModification::state).equals(Optional.of(state));
  }

  private boolean ours(Claim claim, Volume pv) {
    return Translation.NONE.source(pv).map(CsiSource::driver).filter(driver::equals).isPresent()
        && facts.serves(pv)
        && pv.claim().filter(reserved -> reserved.names(claim)).isPresent();
  }
}
