package dev.berth.simulation.driver;

/// What is to be done to a volume. Demands that change nothing are not made.
public sealed interface Demand {
  record Create(String name) implements Demand {}

  record Delete(String id) implements Demand {}

  /// It is to have at least so many bytes.
  record Grow(String id, long bytes) implements Demand {}

  /// What is on it is to become as large as it is.
  record Fill(String id, String node) implements Demand {}

  record Attach(String id, String node) implements Demand {}

  record Detach(String id, String node) implements Demand {}

  record Stage(String id, String node, String path) implements Demand {}

  record Publish(String id, String node, String staging, String target) implements Demand {}

  record Unpublish(String id, String node, String target) implements Demand {}

  /// Not of the driver: a container reads and writes what is at `target` from now on.
  record Open(String node, String target) implements Demand {}

  /// A snapshot, or a group of them, is to be taken.
  record Cut(String name) implements Demand {}

  /// A snapshot, or a group of them, is to be deleted.
  record Discard(String id) implements Demand {}

  record Unstage(String id, String node) implements Demand {}
}
