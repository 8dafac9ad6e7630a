package dev.berth.driver.baremetal.object;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// The kinds of upstream's group that this driver reads and writes, and their definitions.
public final class BareMetalKinds {
  public static final String GROUP = "csi-baremetal.dell.com";

  public static final Resource DRIVES = resource("drives", "Drive", false);
  public static final Resource VOLUMES = resource("volumes", "Volume", true);
  public static final Resource NODES = resource("nodes", "Node", false);

  public static final Resource CAPACITIES =
      resource("availablecapacities", "AvailableCapacity", false);

  public static final Kind<Drive> DRIVE = new Kind<>(DRIVES, Drive::read);
  public static final Kind<LocalVolume> VOLUME = new Kind<>(VOLUMES, LocalVolume::read);
  public static final Kind<BareMetalNode> NODE = new Kind<>(NODES, BareMetalNode::read);

  public static final Kind<AvailableCapacity> CAPACITY =
      new Kind<>(CAPACITIES, AvailableCapacity::read);

  public static final List<Kind<?>> ALL = List.of(DRIVE, VOLUME, NODE, CAPACITY);

  /// Label that keeps new volumes off a drive (BM-39).
  public static final String TAINT = "drive.csi-baremetal.dell.com/taint";

  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  private BareMetalKinds() {}

  /// The kind that people mean by a word; empty: none of ours. A Node is Kubernetes' own.
  public static Optional<Resource> named(String word) {
    int dot = word.indexOf('.');
    var name = (dot < 0 ? word : word.substring(0, dot)).toLowerCase(Locale.ROOT);
    return Stream.of(DRIVES, VOLUMES)
        .filter(it -> name.equals(it.plural()) || name.equalsIgnoreCase(it.kind()))
        .filter(it -> dot < 0 || word.substring(dot + 1).equalsIgnoreCase(GROUP))
        .findFirst();
  }

  private static Resource resource(String plural, String kind, boolean namespaced) {
    return new Resource(GROUP, "v1", plural, kind, namespaced);
  }

  private static final int FORBIDDEN = 403;

  /// Creates the definitions that are missing. One that is there stays as it is. Who may not make
  /// definitions leaves that to whoever installs the driver.
  public static void install(Api api) {
    for (var kind : ALL) {
      try {
        api.create(Resources.DEFINITIONS, definition(kind.resource()));
      } catch (ApiException.LostRace lost) {
        if (!lost.nameTaken()) throw lost;
      } catch (ApiException refused) {
        if (refused.code() != FORBIDDEN) throw refused;
      }
    }
  }

  private static ObjectNode definition(Resource resource) {
    var name = resource.plural() + ".yaml";
    try (var file = BareMetalKinds.class.getResourceAsStream(name)) {
      if (file == null) throw new IllegalStateException("there is no definition " + name);
      return (ObjectNode) YAML.readTree(file);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
