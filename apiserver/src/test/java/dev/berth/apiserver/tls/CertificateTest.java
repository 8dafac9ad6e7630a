package dev.berth.apiserver.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Our certificates are read by a reader that we did not write and that is stricter than the JDK's.
class CertificateTest {
  @TempDir private Path folder;

  @Test
  void opensslFollowsTheChain() throws Exception { // HTTP-08
    var authority = Authority.create("berth-ca", Instant.now());
    var server =
        authority.server("berth", ServerNames.of(List.of("localhost", "::1")), Instant.now());
    var client = authority.client(Identity.ADMIN, Instant.now());
    var ca = pem("ca", authority.keyedCertificate());

    assertThat(
            openssl(
                "verify -x509_strict -purpose sslserver -verify_hostname localhost",
                ca,
                pem("server", server)))
        .contains("server.pem: OK");
    assertThat(
            openssl(
                "verify -x509_strict -purpose sslserver -verify_ip ::1", ca, pem("server", server)))
        .contains("server.pem: OK");
    assertThat(openssl("verify -x509_strict -purpose sslclient", ca, pem("client", client)))
        .contains("client.pem: OK");
    assertThat(openssl("verify -x509_strict -purpose sslclient", ca, pem("server", server)))
        .contains("unsuitable certificate purpose");
  }

  private Path pem(String name, KeyedCertificate certificate) throws Exception {
    return Files.writeString(folder.resolve(name + ".pem"), certificate.pem());
  }

  private static String openssl(String options, Path authority, Path certificate)
      throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/openssl")), "no openssl here");
    var command = new ArrayList<>(List.of("/usr/bin/openssl"));
    command.addAll(List.of(options.split(" ")));
    command.addAll(List.of("-CAfile", authority.toString(), certificate.toString()));
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return output;
  }
}
