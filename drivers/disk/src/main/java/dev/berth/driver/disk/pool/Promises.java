package dev.berth.driver.disk.pool;

/// What a pool has promised and its disk may not show yet. True only in the process that controls
/// the pool. Who looks at it and promises more by that has its monitor.
public final class Promises {
  /// Below this many free bytes nothing new is promised, whatever the factor says.
  public static final long LEAST_FREE = 64L << 20;

  private long provisioned;
  private long taking;

  /// Room on the disk that somebody is about to take. It is his until this is closed; by then the
  /// disk shows what was taken of it.
  public interface Taking extends AutoCloseable {
    @Override
    void close();
  }

  /// Bytes that volumes may come to hold.
  public synchronized long provisioned() {
    return provisioned;
  }

  /// Promises so many bytes more, or takes a promise back.
  public synchronized void provision(long bytes) {
    provisioned += bytes;
  }

  /// Bytes of the disk that are being taken; some of them it may show already.
  public synchronized long taking() {
    return taking;
  }

  public synchronized Taking take(long bytes) {
    taking += bytes;
    return () -> taken(bytes);
  }

  private synchronized void taken(long bytes) {
    taking -= bytes;
  }

  synchronized void begin(long bytes) {
    provisioned = bytes;
  }
}
