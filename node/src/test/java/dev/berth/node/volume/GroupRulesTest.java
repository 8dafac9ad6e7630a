package dev.berth.node.volume;

import static dev.berth.node.volume.World.CLAIM;
import static dev.berth.node.volume.World.POD;
import static dev.berth.node.volume.World.VOLUME;
import static dev.berth.node.volume.World.WANTED;
import static dev.berth.node.volume.World.read;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.model.CsiDriver;
import dev.berth.kube.model.Kinds;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Whether the agent gives a volume's files to the pod's group (NCSI-12), when it may leave them
/// (NCSI-14), and that a device has none (NBLK-01).
class GroupRulesTest {
  private static final World GROUPED =
      WANTED.with(Kinds.POD, POD.replace("spec:\n", "spec:\n  securityContext: {fsGroup: 4711}\n"));

  private static final Optional<FsGroup> GIVEN = Optional.of(new FsGroup(4711, true, false));
  private static final Optional<FsGroup> LEFT = Optional.of(new FsGroup(4711, false, false));

  record Rule(String says, World given, Optional<String> policy, Optional<FsGroup> then) {
    @Override
    public String toString() {
      return says;
    }
  }

  private static Rule rule(String says, World given, String policy, Optional<FsGroup> then) {
    return new Rule(says, given, Optional.of(policy), then);
  }

  private static World volume(String before, String after) {
    return GROUPED.with(Kinds.VOLUME, VOLUME.replace(before, after));
  }

  private static World shared() {
    return volume("[ReadWriteOnce]", "[ReadWriteMany]");
  }

  static final List<Rule> rules =
      List.of(
          new Rule("a pod without a group wants none", WANTED, Optional.empty(), Optional.empty()),
          new Rule("without a CSIDriver the default holds", GROUPED, Optional.empty(), GIVEN),
          rule("None: never", GROUPED, "None", LEFT),
          rule("File: also a volume of many nodes", shared(), "File", GIVEN),
          rule("File: also without a file system", volume(", fsType: ext4", ""), "File", GIVEN),
          rule("default: of one node", GROUPED, "ReadWriteOnceWithFSType", GIVEN),
          rule(
              "default: of one pod",
              volume("[ReadWriteOnce]", "[ReadWriteOncePod]"),
              "ReadWriteOnceWithFSType",
              GIVEN),
          rule("default: not of many nodes", shared(), "ReadWriteOnceWithFSType", LEFT),
          rule(
              "default: not without a file system",
              volume(", fsType: ext4", ""),
              "ReadWriteOnceWithFSType",
              LEFT),
          rule(
              "not what the pod may only read",
              GROUPED.with(
                  Kinds.POD,
                  POD.replace("spec:\n", "spec:\n  securityContext: {fsGroup: 4711}\n")
                      .replace("{claimName: data}", "{claimName: data, readOnly: true}")),
              "File",
              LEFT),
          rule(
              "OnRootMismatch: it may leave them",
              GROUPED.with(
                  Kinds.POD,
                  POD.replace(
                      "spec:\n",
                      "spec:\n  securityContext: {fsGroup: 4711, fsGroupChangePolicy:"
                          + " OnRootMismatch}\n")),
              "File",
              Optional.of(new FsGroup(4711, true, true))),
          rule(
              "a device has no files",
              GROUPED
                  .with(Kinds.CLAIM, CLAIM.replace("volumeName", "volumeMode: Block, volumeName"))
                  .with(Kinds.VOLUME, VOLUME.replace("spec:\n", "spec:\n  volumeMode: Block\n"))
                  .with(
                      Kinds.POD,
                      POD.replace("spec:\n", "spec:\n  securityContext: {fsGroup: 4711}\n")
                          .replace(
                              "volumeMounts: [{name: data, mountPath: /data}]",
                              "volumeDevices: [{name: data, devicePath: /dev/data}]")),
              "File",
              Optional.empty()));

  @ParameterizedTest
  @FieldSource
  void rules(Rule rule) {
    Optional<CsiDriver> driver =
        rule.policy.map(policy ->
            read(
                Kinds.CSI_DRIVER,
                "{metadata: {name: disk.berth.dev}, spec: {fsGroupPolicy: %s}}".formatted(policy)));
    assertThat(FsGroup.of(rule.given.want(), driver)).isEqualTo(rule.then);
  }
}
