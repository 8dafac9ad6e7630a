package dev.berth.csi.registrar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.registration.v1.InfoRequest;
import dev.berth.csi.registration.v1.PluginInfo;
import dev.berth.csi.registration.v1.RegistrationStatus;
import dev.berth.csi.socket.SocketInUseException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A registrar and a node agent on a real socket.
class RegistrarTest {
  private static final String ENDPOINT = "/plugins/disk.example/csi.sock";

  @TempDir Path folder;

  private Registrar registrar() {
    return new Registrar("disk.example", folder, ENDPOINT);
  }

  private static void answer(Registrar registrar, boolean registered, String error) {
    try (var agent = CsiConnection.open(registrar.socket())) {
      agent
          .registration(Duration.ofSeconds(10))
          .notifyRegistrationStatus(
              RegistrationStatus.newBuilder()
                  .setPluginRegistered(registered)
                  .setError(error)
                  .build());
    }
  }

  /// Its inode may be used again at once, but not at the same time.
  private static FileTime age(Path socket) throws IOException {
    return Files.readAttributes(socket, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
        .lastModifiedTime();
  }

  @Test
  void showsTheDriverToItsOwnerOnly() throws Exception { // REG-01, REG-02
    try (var registrar = registrar()) {
      registrar.start();

      assertThat(registrar.socket()).isEqualTo(folder.resolve("disk.example-reg.sock"));
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(registrar.socket())))
          .isEqualTo("rw-------");
      try (var agent = CsiConnection.open(registrar.socket())) {
        assertThat(
                agent
                    .registration(Duration.ofSeconds(10))
                    .getInfo(InfoRequest.getDefaultInstance()))
            .isEqualTo(
                PluginInfo.newBuilder()
                    .setType("CSIPlugin")
                    .setName("disk.example")
                    .setEndpoint(ENDPOINT)
                    .addSupportedVersions("1.0.0")
                    .build());
      }
      assertThat(registrar.reach()).isEqualTo(new Reach.Answers()); // REG-05
      answer(registrar, true, "");
      await().until(() -> registrar.registration() instanceof Registration.Accepted);
      Files.delete(registrar.socket());
      assertThat(registrar.reach()).isEqualTo(new Reach.Missing());
    }
    assertThat(folder).isEmptyDirectory(); // REG-04
  }

  @Test
  void aRefusalIsAnsweredWithANewSocket() throws Exception { // REG-03
    try (var registrar = registrar()) {
      registrar.start();
      var before = age(registrar.socket());
      answer(registrar, false, "node id is missing");

      await()
          .atMost(Duration.ofSeconds(20))
          .until(() ->
              Files.exists(registrar.socket(), LinkOption.NOFOLLOW_LINKS)
                  && !age(registrar.socket()).equals(before));
    }
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aFileInItsPlaceIsLeftAlone() throws Exception { // REG-01
    var file = Files.writeString(folder.resolve("disk.example-reg.sock"), "mine");
    try (var registrar = registrar()) {
      assertThatThrownBy(registrar::start).isInstanceOf(SocketInUseException.class);
    }
    assertThat(file).hasContent("mine");
  }

  @Test
  void aDeadSocketIsReplaced() throws Exception { // REG-01
    var first = registrar();
    first.start();
    Files.createLink(folder.resolve("kept.sock"), first.socket());
    first.close();
    Files.move(folder.resolve("kept.sock"), first.socket());

    try (var registrar = registrar()) {
      registrar.start();
      answer(registrar, true, "");
      await().until(() -> registrar.registration() instanceof Registration.Accepted);
    }
  }
}
