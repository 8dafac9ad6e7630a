package dev.berth.linux.mount;

/// How mounts made below one mount spread to its copies in other places and name spaces.
public enum Propagation {
  /// Neither way. What Kubernetes calls None.
  PRIVATE(0x40000),
  /// From the original to the copy. HostToContainer.
  SLAVE(0x80000),
  /// Both ways. Bidirectional.
  SHARED(0x100000),
  /// Neither way, and it cannot be bound elsewhere.
  UNBINDABLE(0x20000);

  private final long bit;

  Propagation(long bit) {
    this.bit = bit;
  }

  /// The flag of mount(2), which is also the value for mount_setattr(2).
  long bit() {
    return bit;
  }
}
