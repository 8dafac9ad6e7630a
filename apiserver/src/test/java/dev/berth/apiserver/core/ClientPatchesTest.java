package dev.berth.apiserver.core;

import static dev.berth.apiserver.core.CoreRule.rule;
import static dev.berth.apiserver.core.Samples.ATTACHMENT;
import static dev.berth.apiserver.core.Samples.CLAIM;
import static dev.berth.apiserver.core.Samples.VOLUME;
import static dev.berth.kube.object.Resources.ATTACHMENTS;
import static dev.berth.kube.object.Resources.CLAIMS;
import static dev.berth.kube.object.Resources.EVENTS;
import static dev.berth.kube.object.Resources.VOLUMES;

import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.core.message.Request.Part;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.Resource;
import dev.berth.kube.value.Json;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// The patches that clients are known to send, as they send them (API-76).
class ClientPatchesTest {
  private static final String EVENT =
      """
      {metadata: {namespace: default, name: e}, involvedObject: {kind: Pod, namespace: default,
        name: p}, reason: r, message: m, type: Normal, count: 1}
      """;

  static final List<CoreRule> rules =
      List.of(
          rule("API-76", "the attacher holds a volume, if its finalizers are those that it saw")
              .given(world -> world.with(VOLUMES, VOLUME))
              .when(world ->
                  change(
                      world,
                      VOLUMES,
                      "pv-1",
                      Part.MAIN,
                      Patch.Type.JSON,
                      """
                      [{op: test, path: /metadata/finalizers, value: [kubernetes.io/pv-protection]},
                       {op: add, path: /metadata/finalizers/-, value: external-attacher/d}]
                      """))
              .shows("metadata: {finalizers: [kubernetes.io/pv-protection, external-attacher/d]}"),
          rule("API-76", "the attacher says that a volume is attached")
              .given(world -> world.with(ATTACHMENTS, ATTACHMENT))
              .when(world ->
                  change(
                      world,
                      ATTACHMENTS,
                      "va-1",
                      Part.STATUS,
                      Patch.Type.MERGE,
                      "{status: {attached: true, attachmentMetadata: {a: b}}}"))
              .shows("status: {attached: true, attachmentMetadata: {a: b}}"),
          rule("API-76", "the provisioner takes its finalizer off a volume")
              .given(world ->
                  world.with(
                      VOLUMES,
                      Samples.vary(VOLUME, "name: pv-1", "name: pv-1, finalizers: [a.b/c]")))
              .when(world ->
                  change(
                      world,
                      VOLUMES,
                      "pv-1",
                      Part.MAIN,
                      Patch.Type.STRATEGIC,
                      """
                      metadata:
                        $deleteFromPrimitiveList/finalizers: [a.b/c]
                        $setElementOrder/finalizers: [kubernetes.io/pv-protection]
                      """))
              .shows("metadata: {finalizers: [kubernetes.io/pv-protection]}"),
          rule("API-76", "the resizer notes how far it is, of the claim that it saw")
              .given(world -> world.with(CLAIMS, CLAIM))
              .when(world ->
                  change(
                      world,
                      CLAIMS,
                      "default/data",
                      Part.STATUS,
                      Patch.Type.STRATEGIC,
                      """
                      metadata: {resourceVersion: '%s'}
                      status: {conditions: [{type: Resizing, status: 'True'}]}
                      """
                          .formatted(version(world, CLAIMS, "default/data"))))
              .shows("status: {conditions: [{type: Resizing, status: 'True'}]}"),
          rule("API-76", "the resizer is told that the claim is another by now")
              .given(world -> world.with(CLAIMS, CLAIM))
              .when(world ->
                  change(
                      world,
                      CLAIMS,
                      "default/data",
                      Part.STATUS,
                      Patch.Type.STRATEGIC,
                      "{metadata: {resourceVersion: '1'}, status: {phase: Bound}}"))
              .refused(
                  409,
                  "Conflict",
                  "Operation cannot be fulfilled on persistentvolumeclaims \"data\": the object has"
                      + " been modified; please apply your changes to the latest version and try"
                      + " again"),
          rule("API-76", "an event is counted on")
              .given(world -> world.with(EVENTS, EVENT))
              .when(world ->
                  change(
                      world,
                      EVENTS,
                      "default/e",
                      Part.MAIN,
                      Patch.Type.STRATEGIC,
                      "{count: 2, lastTimestamp: '2026-11-26T10:00:00Z'}"))
              .shows("{count: 2, message: m}"),
          rule("API-76", "kubectl annotates")
              .given(world -> world.with(CLAIMS, CLAIM))
              .when(world ->
                  change(
                      world,
                      CLAIMS,
                      "default/data",
                      Part.MAIN,
                      Patch.Type.MERGE,
                      "{metadata: {annotations: {a: b}}}"))
              .shows("metadata: {annotations: {a: b}}"));

  private static Answer change(
      World world, Resource resource, String key, Part part, Patch.Type type, String patch) {
    return world.ask(
        new Request.Change(
            resource, World.key(resource, key), part, new Patch(type, World.tree(patch))));
  }

  private static String version(World world, Resource resource, String key) {
    return Json.text(world.get(resource, key).path("metadata"), "resourceVersion");
  }

  @ParameterizedTest
  @FieldSource("rules")
  void rules(CoreRule rule) {
    rule.check();
  }
}
