package dev.berth.kube.http;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Certificates of a file in which there may be something else, too: a kubelet keeps its key beside
/// its certificate.
final class PemCertificates {
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----");

  private PemCertificates() {}

  /// All of them, in their order.
  ///
  /// @throws CertificateException if there is none, or one that cannot be read
  static List<Certificate> read(byte[] file) throws CertificateException {
    var blocks =
        BLOCK
            .matcher(new String(file, StandardCharsets.ISO_8859_1))
            .results()
            .map(MatchResult::group)
            .collect(Collectors.joining("\n"));
    var text = blocks.isEmpty() ? file : blocks.getBytes(StandardCharsets.ISO_8859_1);
    var found =
        CertificateFactory.getInstance("X.509")
            .generateCertificates(new ByteArrayInputStream(text));
    if (found.isEmpty()) throw new CertificateException("no certificate is there");
    return List.copyOf(found);
  }
}
