package dev.berth.csi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.v1.CreateVolumeRequest;
import dev.berth.csi.v1.CsiProto;
import dev.berth.csi.v1.NodePublishVolumeRequest;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.csi.v1.VolumeCapability.AccessMode;
import dev.berth.csi.v1.VolumeCapability.MountVolume;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// SEC-01 to SEC-03: what a log may show of a message.
class RedactionTest {
  private static final CreateVolumeRequest CREATE =
      CreateVolumeRequest.newBuilder()
          .setName("pvc-1")
          .putParameters("tier", "gold")
          .putSecrets("password", "hunter2")
          .addVolumeCapabilities(
              VolumeCapability.newBuilder()
                  .setMount(MountVolume.newBuilder().setFsType("ext4").addMountFlags("pass=s3cret"))
                  .setAccessMode(
                      AccessMode.newBuilder().setMode(AccessMode.Mode.SINGLE_NODE_WRITER)))
          .build();

  @Test
  void secretsAndValuesOfMountFlagsAreNotShown() { // SEC-02, PROV-05
    assertThat(Redaction.of(CREATE))
        .hasToString(
            """
            {name: "pvc-1", volume_capabilities: [{mount: {fs_type: "ext4", mount_flags: \
            ["pass=***stripped***"]}, access_mode: {mode: SINGLE_NODE_WRITER}}], parameters: {tier: "gold"}, \
            secrets: ***stripped***}\
            """);
  }

  @Test
  void tokensOfServiceAccountsAreNotShown() {
    var publish =
        NodePublishVolumeRequest.newBuilder()
            .putVolumeContext("csi.storage.k8s.io/serviceAccount.tokens", "eyJhbGciOi")
            .build();

    assertThat(Redaction.of(publish).toString())
        .doesNotContain("eyJhbGciOi")
        .contains("csi.storage.k8s.io/serviceAccount.tokens: ***stripped***");
    assertThat(Redaction.of(publish).clean("token eyJhbGciOi was refused"))
        .isEqualTo("token ***stripped*** was refused");
  }

  @Test
  void anErrorThatRepeatsASecretIsCleaned() {
    assertThat(Redaction.of(CREATE).clean("login with hunter2 and pass=s3cret failed"))
        .isEqualTo("login with ***stripped*** and pass=***stripped*** failed");
  }

  /// @param flag of a mount, and what of it is told
  record Flag(String flag, String told) {
    @Override
    public String toString() {
      return flag;
    }
  }

  static final List<Flag> flags =
      List.of(
          new Flag("noatime", "noatime"),
          new Flag("x-systemd.automount", "x-systemd.automount"),
          new Flag("inode64", "inode64"),
          new Flag("ro,noatime", "ro,noatime"),
          new Flag("password=hunter2", "password=***stripped***"),
          new Flag("StrictHostKeyChecking=no", "StrictHostKeyChecking=***stripped***"),
          new Flag("ro,pass=hun,ter2", "ro,pass=***stripped***"), // the comma may be the password's
          new Flag("pass=a=bcd", "pass=***stripped***"),
          new Flag("ro,S3CR3T=x", "ro,S3CR3T=***stripped***"),
          hidden("noatimee"),
          hidden("hunter2"),
          hidden("correcthorsebattery"),
          hidden("tr0ub4dor"),
          hidden("S3CR3T"),
          hidden("eyJhbGciOi"),
          hidden("aHVudGVyMg=="), // no name with a value: encoded
          hidden("ro,hunter2"),
          hidden("S3CR3T,pass=x"),
          hidden("s3cr3t p4ss"),
          hidden("a".repeat(33)));

  private static Flag hidden(String flag) {
    return new Flag(flag, "***stripped*** (option 2 of 3, %d characters)".formatted(flag.length()));
  }

  @ParameterizedTest
  @FieldSource
  void flags(Flag row) {
    assertThat(new MountFlag(row.flag, 2, 3)).hasToString(row.told);
  }

  /// Its user sees what to mend, and nobody a word that may be a password.
  @Test
  void thePlaceOfAWrongMountFlagIsToldAndItsWordIsNot() {
    var mount =
        MountVolume.newBuilder()
            .addMountFlags("ro")
            .addMountFlags("noatimee")
            .addMountFlags("pass=hun,ter22");
    var request =
        CreateVolumeRequest.newBuilder()
            .addVolumeCapabilities(VolumeCapability.newBuilder().setMount(mount))
            .build();
    assertThat(
            Redaction.of(request)
                .clean("ext4 does not know noatimee; -o pass=hun,ter22 failed at ter22"))
        .isEqualTo(
            "ext4 does not know ***stripped*** (option 2 of 3, 8 characters); -o"
                + " pass=***stripped*** failed at ***stripped***");
  }

  @Test
  void aCallersTextCannotForgeALogLine() {
    var forged = CreateVolumeRequest.newBuilder().setName("a\nINFO all is well\u001b[31m").build();

    assertThat(Redaction.of(forged).toString()).doesNotContain("\n").doesNotContain("\u001b");
  }

  @Test
  void theMessageItselfIsLeftAlone() {
    var before = CREATE.toByteString();
    assertThat(Redaction.of(CREATE).toString()).isNotEmpty();
    assertThat(CREATE.toByteString()).isEqualTo(before);
  }

  @Test
  void the22FieldsOfTheProtocolThatHoldSecretsAreMarked() {
    List<String> secrets = new ArrayList<>();
    for (var message : CsiProto.getDescriptor().getMessageTypes())
      for (var field : message.getFields())
        if (field.getOptions().getExtension(CsiProto.csiSecret)) secrets.add(field.getFullName());

    assertThat(secrets).hasSize(22).allMatch(name -> name.endsWith("Request.secrets"));
  }

  @Test
  void aKeyBeginsNoLineOfItsOwn() {
    var request = CreateVolumeRequest.newBuilder().putParameters("a\nINFO: all is well", "b");
    assertThat(Redaction.of(request.build()).toString())
        .isEqualTo("{parameters: {a\\u000aINFO: all is well: \"b\"}}");
  }

  @Test
  void aSecretThatBeginsAnotherLeavesNothingOfIt() {
    var request =
        CreateVolumeRequest.newBuilder().putSecrets("one", "hunter").putSecrets("two", "hunter22");
    assertThat(Redaction.of(request.build()).clean("login with hunter22 failed"))
        .isEqualTo("login with ***stripped*** failed");
  }
}
