package dev.berth.apiserver.core;

import static dev.berth.apiserver.core.CoreRule.rule;
import static dev.berth.apiserver.core.Samples.POD;
import static dev.berth.apiserver.core.Samples.VOLUME;
import static dev.berth.apiserver.core.Samples.vary;
import static dev.berth.kube.object.Resources.CLAIMS;
import static dev.berth.kube.object.Resources.PODS;
import static dev.berth.kube.object.Resources.VOLUMES;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// API-107: what is left out of a source that came with Kubernetes is filled in, in volumes and in
/// pods alike, so that what is migrated has all of it.
class InTreeSourcesTest {
  private static final String CSI = "csi: {driver: disk.berth.dev, volumeHandle: vol-1}";

  /// A source, and what it becomes.
  private static final List<List<String>> SOURCES =
      List.of(
          List.of(
              "azureDisk: {diskName: d, diskURI: u}",
              "{kind: Shared, cachingMode: ReadWrite, fsType: ext4, readOnly: false}"),
          List.of(
              "rbd: {monitors: [m], image: i}",
              "{pool: rbd, user: admin, keyring: /etc/ceph/keyring}"),
          List.of(
              "iscsi: {targetPortal: p, iqn: iqn.2026-01.dev.berth:a, lun: 0}",
              "{iscsiInterface: default}"),
          List.of(
              "scaleIO: {gateway: g, system: s, volumeName: v, secretRef: {name: n}}",
              "{storageMode: ThinProvisioned, fsType: xfs}"),
          List.of("hostPath: {path: /srv}", "{type: ''}"));

  static final List<CoreRule> rules =
      Stream.concat(
              SOURCES.stream().flatMap(InTreeSourcesTest::both),
              Stream.of(
                  rule("API-112", "a claim is kept while it is used")
                      .when(world -> world.create(CLAIMS, Samples.CLAIM))
                      .shows("{metadata: {finalizers: [kubernetes.io/pvc-protection]}}"),
                  rule("API-112", "a volume that is kept already is kept once")
                      .when(world ->
                          world.create(
                              VOLUMES,
                              vary(
                                  VOLUME,
                                  "name: pv-1",
                                  "name: pv-1, finalizers: [kubernetes.io/pv-protection]")))
                      .shows("{metadata: {finalizers: [kubernetes.io/pv-protection]}}")))
          .toList();

  private static Stream<CoreRule> both(List<String> source) {
    var name = source.getFirst().substring(0, source.getFirst().indexOf(':'));
    var wanted = "%s: %s".formatted(name, source.getLast());
    return Stream.of(
        rule("API-107", name + " of a volume")
            .when(world -> world.create(VOLUMES, vary(VOLUME, CSI, source.getFirst())))
            .shows("{spec: {" + wanted + "}}"),
        rule("API-107", name + " of a pod")
            .when(world ->
                world.create(
                    PODS,
                    vary(POD, "spec:", "spec:\n  volumes: [{name: v, " + source.getFirst() + "}]")))
            .then(answer -> {
              var volume = CoreRule.object(answer).at("/spec/volumes/0/" + name);
              for (var each : World.yaml(wanted).path(name).properties())
                if (!volume.path(each.getKey()).equals(each.getValue()))
                  throw new AssertionError(volume.toString());
            }));
  }

  @ParameterizedTest
  @FieldSource("rules")
  void holds(CoreRule rule) {
    rule.check();
  }
}
