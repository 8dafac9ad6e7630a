package dev.berth.cli.drives;

import dev.berth.cli.Problem;
import dev.berth.cli.session.News;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.BareMetalNode;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Selector;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// All drives of a cluster and what is on them, as the server knew them at one moment.
///
/// @param drives in the order of their nodes, then of their serial numbers
/// @param nodes names of nodes by the driver's ids of them
public record Rack(List<Drive> drives, List<LocalVolume> volumes, Map<String, String> nodes) {
  private static final int NO_SUCH_DRIVE = 2;

  public Rack {
    drives = List.copyOf(drives);
    volumes = List.copyOf(volumes);
    nodes = Map.copyOf(nodes);
  }

  /// @throws Problem if the cluster has no such objects
  public static Rack read(Api api) {
    var nodes =
        all(api, BareMetalKinds.NODE).stream()
            .collect(Collectors.toMap(BareMetalNode::uuid, Rack::name, (one, _) -> one));
    var order =
        Comparator.<Drive, String>comparing(it -> nodes.getOrDefault(it.nodeId(), it.nodeId()))
            .thenComparing(Drive::shortName);
    var drives = all(api, BareMetalKinds.DRIVE).stream().sorted(order).toList();
    return new Rack(drives, all(api, BareMetalKinds.VOLUME), nodes);
  }

  private static String name(BareMetalNode node) {
    return node.addresses().getOrDefault("Hostname", node.uuid());
  }

  private static <T extends KubeObject> List<T> all(Api api, Kind<T> kind) {
    try {
      return api.list(kind.resource(), "", Selector.ALL).items().stream().map(kind.read()).toList();
    } catch (ApiException refused) {
      throw asked(refused);
    }
  }

  private static RuntimeException asked(ApiException refused) {
    if (!refused.isNotFound()) return refused;
    return new Problem(
        "this cluster has no drives: the bare-metal driver is not installed; see"
            + " docs/bare-metal.md, or berth up --bare-metal FILE");
  }

  /// What changes about a drive or a volume on one, from now on.
  ///
  /// @throws Problem if the cluster has no such objects
  public static News news(Api api) {
    var news = new News(api);
    try {
      for (var resource : List.of(BareMetalKinds.DRIVES, BareMetalKinds.VOLUMES))
        news.follow(resource, "", Selector.ALL);
      return news;
    } catch (ApiException refused) {
      news.close();
      throw asked(refused);
    }
  }

  /// Name of the node that a drive is in.
  public String node(Drive drive) {
    return nodes.getOrDefault(drive.nodeId(), drive.nodeId());
  }

  public List<LocalVolume> on(Drive drive) {
    return volumes.stream().filter(it -> it.location().equals(drive.uuid())).toList();
  }

  /// The drive that people mean by a word: its serial number, in any letter case, or the name of
  /// its object.
  ///
  /// @throws Problem if there is none, or more than one
  public Drive named(String word) {
    var plain = word.startsWith("drive/") ? word.substring("drive/".length()) : word;
    var found = drives.stream().filter(it -> isMeant(it, plain)).toList();
    if (found.size() == 1) return found.getFirst();
    if (found.isEmpty())
      throw new Problem("there is no drive %s; see berth drives".formatted(plain), NO_SUCH_DRIVE);
    throw new Problem(
        "%d drives have the serial number %s; name one of %s"
            .formatted(
                found.size(),
                plain,
                found.stream().map(Drive::uuid).collect(Collectors.joining(", "))),
        NO_SUCH_DRIVE);
  }

  private static boolean isMeant(Drive drive, String word) {
    return drive.uuid().equals(word.toLowerCase(Locale.ROOT))
        || drive.shortName().equalsIgnoreCase(word);
  }

  /// The same object later; empty: it is gone.
  public Optional<Drive> again(Drive drive) {
    return drives.stream().filter(it -> it.meta().uid().equals(drive.meta().uid())).findFirst();
  }
}
