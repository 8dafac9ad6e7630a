package dev.berth.kube.http;

import io.fabric8.kubernetes.client.Config;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/// A configuration, and what makes it worth reading again.
///
/// @param files which say other things once credentials are renewed
/// @param until when its credentials end; empty: nobody says
/// @param asked whether whoever made its credentials makes new ones when he is asked, although no
///   file has changed
/// @param proxyNamed whether it names its proxy, which is asked then whatever variables say
/// @param again reads it once more
record Given(
    Config config,
    List<Path> files,
    Optional<Instant> until,
    boolean asked,
    boolean proxyNamed,
    Supplier<Given> again) {
  Given {
    files = List.copyOf(files);
  }

  /// One that somebody made; the files that it names may change.
  static Given fixed(Config config) {
    return new Given(config, files(config), Optional.empty(), false, false, () -> fixed(config));
  }

  /// The files that a configuration names.
  static List<Path> files(Config config) {
    return Stream.of(config.getCaCertFile(), config.getClientCertFile(), config.getClientKeyFile())
        .filter(Objects::nonNull)
        .filter(file -> !file.isEmpty())
        .map(Path::of)
        .toList();
  }

  /// Over the proxy that kubectl's variables name, unless it names one itself.
  Given proxied(UnaryOperator<String> variables) {
    if (!proxyNamed) Proxies.fromVariables(config, variables);
    return this;
  }

  /// The same, for another server.
  Given at(String master) {
    config.setMasterUrl(master);
    return new Given(config, files, until, asked, proxyNamed, () -> again.get().at(master));
  }
}
