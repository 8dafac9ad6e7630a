package dev.berth.driver.baremetal.discovery;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.BareMetalNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Selector;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/// Which of our nodes a host is (BM-04): the one all of whose addresses are the host's, so that a
/// host that was installed anew finds its drives and volumes again.
public final class NodeIdentity {
  private static final String HOSTNAME = "Hostname";

  private NodeIdentity() {}

  /// The id of this node, which gets an object if it has none.
  ///
  /// @param name of the Kubernetes Node
  /// @throws IOException if another node has some of its addresses: nothing is written
  public static String of(Api api, String name) throws IOException {
    var own = addresses(api, name);
    var found = match(known(api), own, shared(api, name, own));
    if (!found.isEmpty()) return found;
    var uuid =
        UUID.nameUUIDFromBytes(new TreeMap<>(own).toString().getBytes(StandardCharsets.UTF_8))
            .toString();
    try {
      api.create(BareMetalKinds.NODES, BareMetalNode.draft(uuid, own));
    } catch (ApiException.LostRace lost) {
      if (!lost.nameTaken()) throw lost;
    }
    return uuid;
  }

  /// @param shared addresses that other nodes of Kubernetes have, too: these tell none of them
  /// @return id of the node that it is; empty: none of them
  static String match(Collection<BareMetalNode> known, Map<String, String> own, Set<String> shared)
      throws IOException {
    var telling = without(own, shared);
    for (var node : known)
      if (without(node.addresses(), shared).equals(telling)) return node.uuid();
    for (var node : known)
      for (var address : telling.entrySet())
        if (address.getValue().equals(node.addresses().get(address.getKey())))
          throw new IOException(
              "this node has the %s %s of %s, but not its other addresses: %s, not %s; if it takes that one's place, correct the addresses in %s, else delete that object"
                  .formatted(
                      address.getKey(),
                      address.getValue(),
                      node.meta().name(),
                      new TreeMap<>(own),
                      new TreeMap<>(node.addresses()),
                      node.meta().name()));
    return "";
  }

  private static Map<String, String> without(Map<String, String> addresses, Set<String> shared) {
    var left = new HashMap<>(addresses);
    left.values().removeAll(shared);
    return left;
  }

  private static List<BareMetalNode> known(Api api) {
    return api.list(BareMetalKinds.NODES, "", Selector.ALL).items().stream()
        .map(BareMetalKinds.NODE.read())
        .toList();
  }

  /// What Kubernetes says of the node; of one that it does not know, its name.
  private static Map<String, String> addresses(Api api, String name) {
    var own = new HashMap<String, String>();
    try {
      own.putAll(addresses(api.get(Resources.NODES, ObjectKey.cluster(name))));
    } catch (ApiException refused) {
      if (!refused.isNotFound()) throw refused;
    }
    own.putIfAbsent(HOSTNAME, name);
    return own;
  }

  private static Set<String> shared(Api api, String name, Map<String, String> own) {
    var others = new HashSet<String>();
    for (var other : api.list(Resources.NODES, "", Selector.ALL).items())
      if (!Json.text(other.path("metadata"), "name").equals(name))
        others.addAll(addresses(other).values());
    others.retainAll(own.values());
    return others;
  }

  private static Map<String, String> addresses(JsonNode node) {
    var all = new HashMap<String, String>();
    for (var address : node.path("status").path("addresses"))
      all.put(Json.text(address, "type"), Json.text(address, "address"));
    return all;
  }
}
