package dev.berth.simulation.driver;

import java.util.Optional;
import java.util.Set;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;
import org.pcollections.PSet;
import org.pcollections.TreePSet;

/// One volume of the driver and all that is done with it.
///
/// @param name under which it was asked for
/// @param bytes how large it is
/// @param filled how large what is on it is
/// @param onlyNode the only node that reaches it; empty: all do
/// @param attached nodes
/// @param staged paths, by node
/// @param published paths, by node; no entry is empty
/// @param opened targets that running containers use, as `node:path`
public record Disk(
    String id,
    String name,
    long bytes,
    long filled,
    Optional<String> onlyNode,
    PSet<String> attached,
    PMap<String, String> staged,
    PMap<String, PSet<String>> published,
    PSet<String> opened) {

  static Disk empty(String id, String name, long bytes, Optional<String> onlyNode) {
    return new Disk(
        id,
        name,
        bytes,
        bytes,
        onlyNode,
        TreePSet.empty(),
        HashTreePMap.empty(),
        HashTreePMap.empty(),
        TreePSet.empty());
  }

  /// Paths at which it is published on a node.
  public Set<String> targets(String node) {
    return published.getOrDefault(node, TreePSet.empty());
  }

  /// Whether anything of it is mounted on a node.
  public boolean isMountedOn(String node) {
    return staged.containsKey(node) || published.containsKey(node);
  }

  /// Whether it is mounted there.
  public boolean isMountedAt(String node, String path) {
    return path.equals(staged.get(node)) || targets(node).contains(path);
  }

  /// Whether a container uses it there.
  public boolean isOpenAt(String node, String path) {
    return opened.contains(node + ":" + path);
  }

  /// Nothing of it is mounted or open on the node any more.
  Disk powerOff(String node) {
    var open = opened;
    for (var each : opened) if (each.startsWith(node + ":")) open = open.minus(each);
    return with(attached, staged.minus(node), published.minus(node)).with(open);
  }

  Disk open(String node, String path) {
    return with(opened.plus(node + ":" + path));
  }

  Disk close(String node, String path) {
    return with(opened.minus(node + ":" + path));
  }

  /// It is made larger; what is on it stays as it is.
  Disk grow(long larger) {
    return sized(Math.max(bytes, larger), filled);
  }

  /// What is on it becomes as large as it is itself.
  Disk fill() {
    return sized(bytes, bytes);
  }

  private Disk sized(long size, long content) {
    return new Disk(id, name, size, content, onlyNode, attached, staged, published, opened);
  }

  private Disk with(PSet<String> opened) {
    return new Disk(id, name, bytes, filled, onlyNode, attached, staged, published, opened);
  }

  Disk attach(String node) {
    return with(attached.plus(node), staged, published);
  }

  Disk detach(String node) {
    return with(attached.minus(node), staged, published);
  }

  Disk stage(String node, String path) {
    return with(attached, staged.plus(node, path), published);
  }

  Disk unstage(String node) {
    return with(attached, staged.minus(node), published);
  }

  Disk publish(String node, String path) {
    var targets = published.getOrDefault(node, TreePSet.empty()).plus(path);
    return with(attached, staged, published.plus(node, targets));
  }

  Disk unpublish(String node, String path) {
    var targets = published.getOrDefault(node, TreePSet.empty()).minus(path);
    return with(
        attached,
        staged,
        targets.isEmpty() ? published.minus(node) : published.plus(node, targets));
  }

  private Disk with(
      PSet<String> attached, PMap<String, String> staged, PMap<String, PSet<String>> published) {
    return new Disk(id, name, bytes, filled, onlyNode, attached, staged, published, opened);
  }
}
