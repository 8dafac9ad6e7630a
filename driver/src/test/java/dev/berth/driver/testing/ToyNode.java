package dev.berth.driver.testing;

import dev.berth.driver.model.BackendAilment;
import dev.berth.driver.model.Condition;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.Secrets;
import dev.berth.driver.model.SizeRange;
import dev.berth.driver.model.Topology;
import dev.berth.driver.model.Usage;
import dev.berth.driver.spi.NodeExpansion;
import dev.berth.driver.spi.NodeHealth;
import dev.berth.driver.spi.NodePublishing;
import dev.berth.driver.spi.NodeStaging;
import dev.berth.driver.spi.NodeStats;
import dev.berth.driver.spi.OnNode;
import dev.berth.driver.spi.StorageHealth;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/// Every capability of the node's side; it only notes what it was asked for.
public final class ToyNode
    implements OnNode,
        NodeStaging,
        NodePublishing,
        NodeStats,
        NodeHealth,
        StorageHealth,
        NodeExpansion {
  static final String NAME = "toy-node";

  /// What the SDK handed on.
  public final List<Publish> published = new CopyOnWriteArrayList<>();

  public volatile Optional<Topology> topology = Optional.of(ToyController.HERE);
  public volatile Condition condition = Condition.healthy("mounted");
  public volatile List<BackendAilment> ailments = List.of();

  /// Where it was asked for the health of volumes.
  public final List<Optional<Path>> asked = new CopyOnWriteArrayList<>();

  /// Where no volume is.
  public volatile Set<Path> absent = Set.of();

  private final Hook hook;

  ToyNode(Hook hook) {
    this.hook = hook;
  }

  @Override
  public NodeInfo nodeInfo() {
    return new NodeInfo(NAME, 7, topology);
  }

  @Override
  public void stage(Stage stage) throws IOException {
    ToyController.possible(stage.volumeId());
    hook.on("stage");
  }

  @Override
  public void unstage(String volumeId, Path directory) throws IOException {
    ToyController.possible(volumeId);
    hook.on("unstage");
  }

  @Override
  public void publish(Publish publish) throws IOException {
    ToyController.possible(publish.volumeId());
    hook.on("nodePublish");
    published.add(publish);
  }

  @Override
  public void unpublish(String volumeId, Path target) throws IOException {
    ToyController.possible(volumeId);
    hook.on("nodeUnpublish");
  }

  @Override
  public Stats stats(String volumeId, Path path) throws IOException {
    ToyController.possible(volumeId);
    hook.on("stats");
    if (!volumeId.equals("known")) throw Refusal.noSuchVolume(volumeId);
    return new Stats(new Count(10, -1, 11), Optional.of(new Count(0, 0, 0)));
  }

  @Override
  public Condition condition(String volumeId, Optional<Path> path) {
    asked.add(path);
    if (path.filter(absent::contains).isPresent()) throw Refusal.noSuchVolume(volumeId);
    return condition;
  }

  @Override
  public List<BackendAilment> storageHealth() {
    return ailments;
  }

  @Override
  public long expand(
      String volumeId, Path path, SizeRange size, Optional<Usage> usage, Secrets secrets)
      throws IOException {
    ToyController.possible(volumeId);
    hook.on("nodeExpand");
    if (!volumeId.equals("known")) throw Refusal.noSuchVolume(volumeId);
    return size.required();
  }
}
