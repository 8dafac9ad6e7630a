package dev.berth.sidecar.modifier;

import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.MODIFY_VOLUME;
import static dev.berth.sidecar.modifier.Modifying.CLAIM;
import static dev.berth.sidecar.modifier.Modifying.GOLD;
import static dev.berth.sidecar.modifier.Modifying.PV;
import static dev.berth.sidecar.modifier.Modifying.attributes;
import static dev.berth.sidecar.modifier.Modifying.tried;
import static dev.berth.sidecar.testing.Objects.DRIVER;
import static dev.berth.sidecar.testing.Objects.VOLUME;
import static dev.berth.sidecar.testing.Objects.driver;
import static dev.berth.sidecar.testing.Rule.act;
import static dev.berth.sidecar.testing.Rule.complains;
import static dev.berth.sidecar.testing.Rule.effect;
import static dev.berth.sidecar.testing.Rule.rule;
import static dev.berth.sidecar.testing.Rule.settled;
import static dev.berth.sidecar.testing.Rule.waits;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.v1.ControllerModifyVolumeRequest;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Volume.SecretRef;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.ObjectKey;
import dev.berth.sidecar.modifier.ModifierOptions.Names;
import dev.berth.sidecar.modifier.ModifyEffect.Begun;
import dev.berth.sidecar.modifier.ModifyEffect.Cancel;
import dev.berth.sidecar.modifier.ModifyEffect.MarkPending;
import dev.berth.sidecar.modifier.ModifyEffect.Modify;
import dev.berth.sidecar.modifier.ModifyEffect.Refuse;
import dev.berth.sidecar.testing.Rule;
import dev.berth.sidecar.testing.World;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class ModificationDecisionTest {
  private static final ObjectKey KEY = ObjectKey.of("shop", "data");
  private static final String FIELD = "spec.volumeAttributesClassName";
  private static final String IN_PROGRESS = "Modifying volume to \"tin\" is in progress.";
  private static final String UNKNOWN = "Modifying volume to \"tin\" is still in progress.";
  private static final String FAILED = "Modifying volume to \"tin\" failed. Waiting for retry.";
  private static final World WANTED =
      World.of(CLAIM, PV, GOLD, attributes("tin", DRIVER, Map.of("iops", "10")));

  static final List<Rule> rules =
      List.of(
          rule("RSZ-80", "a claim that is not bound yet is left alone")
              .given(WANTED.with(CLAIM.with("Pending", "status", "phase")))
              .then(settled()),
          rule("RSZ-80", "another driver's volume is left alone")
              .given(WANTED.with(PV.with("other.example", "spec", "csi", "driver")))
              .then(settled()),
          rule("RSZ-80", "a volume of another claim of this name is left alone")
              .given(WANTED.with(PV.with("other", "spec", "claimRef", "uid")))
              .then(settled()),
          rule("RSZ-80", "a volume that is not seen yet is waited for")
              .given(WANTED.without(PV))
              .then(waits("persistentvolume/" + VOLUME, "")),
          rule("RSZ-81", "a volume that has the class is left alone")
              .given(WANTED.with(CLAIM.with("gold", "status", "currentVolumeAttributesClassName")))
              .then(settled()),
          rule("RSZ-81", "a claim that names no class is left alone")
              .given(WANTED.with(CLAIM.without("spec", "volumeAttributesClassName")))
              .then(settled()),
          rule("RSZ-83", "the volume is given the class")
              .given(WANTED)
              .then(modify("gold", Begun.NOT_YET, "4000")),
          rule("RSZ-81", "a class that was found infeasible is left alone for a while")
              .given(WANTED.with(tried("gold", "Infeasible", "")))
              .then(waits("persistentvolumeclaim/data", FIELD)),
          rule("RSZ-81", "another class is tried at once")
              .given(WANTED.with(tried("tin", "Infeasible", FAILED)))
              .then(modify("gold", Begun.NOT_YET, "4000")),
          rule("RSZ-81", "what nobody wants any more is cancelled")
              .given(
                  WANTED.with(
                      tried("tin", "Infeasible", FAILED)
                          .without("spec", "volumeAttributesClassName")))
              .then(act(new Cancel(KEY, new Seen<>(CLAIM.as(Kinds.CLAIM))))),
          rule("RSZ-81", "and that is all")
              .given(
                  WANTED.with(
                      tried("tin", "Infeasible", FAILED)
                          .without("spec", "volumeAttributesClassName")
                          .without("status", "conditions")))
              .then(settled()),
          rule("RSZ-82", "while an outcome is not known no other class is tried")
              .given(WANTED.with(tried("tin", "InProgress", UNKNOWN)))
              .then(modify("tin", Begun.BEFORE, "10")),
          rule("RSZ-82", "what was begun when we were killed has an unknown outcome")
              .given(WANTED.with(tried("tin", "InProgress", IN_PROGRESS)))
              .then(modify("tin", Begun.BEFORE, "10")),
          rule("RSZ-82", "after a refusal the new wish counts")
              .given(WANTED.with(tried("tin", "InProgress", FAILED)))
              .then(modify("gold", Begun.NOT_YET, "4000")),
          rule("RSZ-81", "what nobody wants any more, but has begun, is ended")
              .given(
                  WANTED.with(
                      tried("tin", "InProgress", UNKNOWN)
                          .without("spec", "volumeAttributesClassName")))
              .then(modify("tin", Begun.BEFORE, "10")),
          rule("RSZ-82", "and if it had failed, that it is under way again is written down first")
              .given(
                  WANTED.with(
                      tried("tin", "InProgress", FAILED)
                          .without("spec", "volumeAttributesClassName")))
              .then(modify("tin", Begun.NOT_YET, "10")),
          rule("RSZ-83", "a class that is missing is noted")
              .given(WANTED.without(GOLD))
              .then(act(new MarkPending(KEY, new Seen<>(CLAIM.as(Kinds.CLAIM))))),
          rule("RSZ-83", "and then waited for")
              .given(WANTED.without(GOLD).with(tried("", "Pending", "")))
              .then(complains("volumeattributesclass/gold", "", "VAC \"gold\" does not exist.")),
          rule("RSZ-82", "also if it went while its outcome was not known")
              .given(
                  WANTED
                      .without(attributes("tin", DRIVER, Map.of()))
                      .with(tried("tin", "InProgress", UNKNOWN)))
              .then(complains("volumeattributesclass/tin", "", "VAC \"tin\" does not exist.")),
          rule("RSZ-92", "another driver's class is refused")
              .given(WANTED.with(attributes("gold", "other.example", Map.of())))
              .then(
                  act(
                      new Refuse(
                          KEY,
                          "gold",
                          "VolumeAttributesClass gold is for driver other.example, and the volume"
                              + " is one of driver disk.example",
                          new Seen<>(CLAIM.as(Kinds.CLAIM))))),
          rule("RSZ-92", "and nothing happens until the claim names another")
              .given(
                  WANTED
                      .with(attributes("gold", "other.example", Map.of()))
                      .with(tried("gold", "Infeasible", "").without("status", "conditions")))
              .then(complains("persistentvolumeclaim/data", FIELD, "is for driver other.example")));

  private static Step modify(String target, Begun begun, String iops) {
    return act(
        new Modify(
            KEY,
            target,
            begun,
            ControllerModifyVolumeRequest.newBuilder()
                .setVolumeId("vol-1")
                .putMutableParameters("iops", iops)
                .build(),
            Optional.empty(),
            new Seen<>(CLAIM.as(Kinds.CLAIM)),
            new Seen<>(PV.as(Kinds.VOLUME))));
  }

  private static Step decide(ModifierOptions options, World world) {
    var modifier = new Modifier(driver(MODIFY_VOLUME), options);
    var now = Instant.parse("2026-01-01T00:02:00Z");
    return modifier.decide(modifier.view(Facts.of(world.snapshot()), now), KEY);
  }

  private static Modify effectIn(ModifierOptions options, World world) {
    return effect(decide(options, world), Modify.class).orElseThrow();
  }

  @ParameterizedTest
  @FieldSource("rules")
  void everyRuleHolds(Rule rule) {
    rule.expected().accept(decide(ModifierOptions.DEFAULT, rule.world()));
  }

  @Test
  void anInfeasibleClassIsTriedAgainWhenItsTimeHasCome() { // RSZ-81, RSZ-91
    var wait = (Wait) decide(ModifierOptions.DEFAULT, WANTED.with(tried("gold", "Infeasible", "")));
    assertThat(wait.again()).contains(Instant.parse("2026-01-01T00:06:01Z"));
  }

  @Test
  void theDriverIsToldNamesIfItWantsThem() { // RSZ-84
    var d = ModifierOptions.DEFAULT;
    var options = new ModifierOptions(d.gate(), d.timeout(), d.pace(), d.slow(), Names.TOLD);
    assertThat(effectIn(options, WANTED).request().getMutableParametersMap())
        .isEqualTo(
            Map.of(
                "iops", "4000",
                "csi.storage.k8s.io/pvc/name", "data",
                "csi.storage.k8s.io/pvc/namespace", "shop",
                "csi.storage.k8s.io/pv/name", VOLUME));
  }

  @Test
  void theSecretForItComesBeforeTheOneForGrowth() { // RSZ-85
    var pv =
        PV.with(
            Map.of("name", "grow", "namespace", "vault"),
            "spec",
            "csi",
            "controllerExpandSecretRef");
    assertThat(effectIn(ModifierOptions.DEFAULT, WANTED.with(pv)).secret())
        .contains(new SecretRef("vault", "grow"));
    var half = pv.annotated(Annotations.MODIFY_SECRET_NAME, "change");
    assertThat(effectIn(ModifierOptions.DEFAULT, WANTED.with(half)).secret())
        .contains(new SecretRef("vault", "grow"));
    var whole = half.annotated(Annotations.MODIFY_SECRET_NAMESPACE, "safe");
    assertThat(effectIn(ModifierOptions.DEFAULT, WANTED.with(whole)).secret())
        .contains(new SecretRef("safe", "change"));
  }
}
