package dev.berth.apiserver.tls;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// Under which names clients may reach the server (API-154).
///
/// @param hosts DNS names in lower case
/// @param addresses numeric addresses as [InetAddress#getHostAddress] writes them
record ServerNames(Set<String> hosts, Set<String> addresses) {
  private static final int DNS_NAME = 2;
  private static final int IP_ADDRESS = 7;

  private static final Pattern DNS_SYNTAX = Pattern.compile("[a-z0-9]([a-z0-9.-]*[a-z0-9])?");

  private static final List<String> ALWAYS =
      List.of(
          "localhost",
          "127.0.0.1",
          "::1",
          "kubernetes",
          "kubernetes.default",
          "kubernetes.default.svc",
          "kubernetes.default.svc.cluster.local");

  ServerNames {
    hosts = Set.copyOf(hosts);
    addresses = Set.copyOf(addresses);
  }

  /// The names of a server on this machine.
  ///
  /// @param more further names or numeric addresses, such as the one that it is bound to
  static ServerNames ofThisMachine(Collection<String> more) {
    var names = new ArrayList<>(ALWAYS);
    names.addAll(more);
    hostName().ifPresent(names::add);
    return of(names);
  }

  /// @param names DNS names and numeric addresses; what is neither is left out
  static ServerNames of(Collection<String> names) {
    var hosts = new TreeSet<String>();
    var addresses = new TreeSet<String>();
    for (String name : names) {
      var address = literal(name);
      var lowerCase = name.toLowerCase(Locale.ROOT);
      if (address.isPresent()) addresses.add(address.get().getHostAddress());
      else if (DNS_SYNTAX.matcher(lowerCase).matches()) hosts.add(lowerCase);
    }
    return new ServerNames(hosts, addresses);
  }

  /// The names that a certificate is valid for.
  static ServerNames of(X509Certificate certificate) throws CertificateParsingException {
    var names = new ArrayList<String>();
    var alternatives = certificate.getSubjectAlternativeNames();
    if (alternatives != null)
      alternatives.forEach(alternative -> names.add(String.valueOf(alternative.get(1))));
    return of(names);
  }

  /// Whether a certificate made for `others` does for these as well.
  boolean within(ServerNames others) {
    return others.hosts.containsAll(hosts) && others.addresses.containsAll(addresses);
  }

  /// The names as a certificate's extension has them.
  byte[] der() {
    var names = new ArrayList<byte[]>();
    for (String host : new TreeSet<>(hosts))
      names.add(Der.implicit(DNS_NAME, host.getBytes(StandardCharsets.US_ASCII)));
    for (String address : new TreeSet<>(addresses))
      names.add(Der.implicit(IP_ADDRESS, InetAddress.ofLiteral(address).getAddress()));
    return Der.sequence(names);
  }

  /// The machine's own name, asked of the kernel: a resolver could keep the start waiting.
  private static Optional<String> hostName() {
    try {
      return Optional.of(Files.readString(Path.of("/proc/sys/kernel/hostname")).strip());
    } catch (IOException unknown) {
      return Optional.empty();
    }
  }

  private static Optional<InetAddress> literal(String name) {
    try {
      return Optional.of(InetAddress.ofLiteral(name));
    } catch (IllegalArgumentException notNumeric) {
      return Optional.empty();
    }
  }
}
