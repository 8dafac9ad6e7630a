package dev.berth.cli.nodeplugin;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.registration.v1.InfoRequest;
import dev.berth.csi.registration.v1.PluginInfo;
import dev.berth.csi.registration.v1.RegistrationStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;

/// What a kubelet does with the sockets in its registry.
record Kubelet(Path registry) {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  Path socket(String driver) {
    return registry.resolve(driver + "-reg.sock");
  }

  boolean sees(String driver) {
    return Files.exists(socket(driver), LinkOption.NOFOLLOW_LINKS);
  }

  /// Differs for a socket that was made anew.
  Object identity(String driver) throws IOException {
    var file =
        Files.readAttributes(socket(driver), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    return file.fileKey() + " " + file.lastModifiedTime();
  }

  PluginInfo info(String driver) {
    try (var connection = CsiConnection.open(socket(driver))) {
      return connection.registration(PATIENCE).getInfo(InfoRequest.getDefaultInstance());
    }
  }

  void answers(String driver, boolean registered, String error) {
    try (var connection = CsiConnection.open(socket(driver))) {
      connection
          .registration(PATIENCE)
          .notifyRegistrationStatus(
              RegistrationStatus.newBuilder()
                  .setPluginRegistered(registered)
                  .setError(error)
                  .build());
    }
  }
}
