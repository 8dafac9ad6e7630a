package dev.berth.node.pod.start;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.model.Pod;
import dev.berth.kube.value.Json;
import java.util.Optional;

/// The names that a pod's author adds to those that its containers know (`hostAliases`).
final class HostsFile {
  /// Of a pod that has a network of its own, whatever the machine calls its neighbours.
  private static final String LOOPBACK =
      """
      127.0.0.1\tlocalhost
      ::1\tlocalhost ip6-localhost ip6-loopback
      fe00::\tip6-localnet
      ff02::1\tip6-allnodes
      ff02::2\tip6-allrouters
      """;

  private HostsFile() {}

  /// What stands in `/etc/hosts` of its containers; empty: the author adds nothing, and they have
  /// what they had.
  ///
  /// @param machine what stands in that of the machine
  static Optional<String> of(Pod pod, String machine) throws UnusableException {
    var aliases = pod.spec().path("hostAliases");
    if (aliases.isEmpty()) return Optional.empty();
    var text = new StringBuilder(hasNetwork(pod) ? LOOPBACK + own(pod) : machine);
    if (!text.isEmpty() && text.charAt(text.length() - 1) != '\n') text.append('\n');
    text.append("# hostAliases of the pod\n");
    for (var alias : aliases) text.append(line(alias));
    return Optional.of(text.toString());
  }

  private static boolean hasNetwork(Pod pod) {
    var network = pod.spec().path("hostNetwork");
    return network.isBoolean() && !network.asBoolean();
  }

  /// Its own address, as soon as that is known.
  private static String own(Pod pod) {
    var address = Json.text(pod.status(), "podIP");
    return address.isEmpty() ? "" : address + "\t" + Assembly.hostName(pod) + "\n";
  }

  private static String line(JsonNode alias) throws UnusableException {
    var line = new StringBuilder(word(Json.text(alias, "ip")));
    for (var name : alias.path("hostnames")) line.append('\t').append(word(name.asText()));
    return line.append('\n').toString();
  }

  /// A word that is none would say something else to who reads the file.
  private static String word(String text) throws UnusableException {
    if (text.isEmpty() || text.chars().anyMatch(it -> it <= ' ' || it == '#'))
      throw new UnusableException("hostAliases: \"%s\" is no address and no name".formatted(text));
    return text;
  }
}
