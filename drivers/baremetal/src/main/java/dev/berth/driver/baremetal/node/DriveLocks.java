package dev.berth.driver.baremetal.node;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/// Whoever writes to a drive of this node does so alone, and looks under the lock whether it is
/// still his to write to: two wipes of one drive, the second of which ends when a tenant has it,
/// would take his data.
public final class DriveLocks {
  private final Map<String, ReentrantLock> locks = new ConcurrentHashMap<>();

  /// What is done to a drive.
  interface Work {
    void run() throws IOException;
  }

  void alone(String drive, Work work) throws IOException {
    var lock = locks.computeIfAbsent(drive, _ -> new ReentrantLock());
    lock.lock();
    try {
      work.run();
    } finally {
      lock.unlock();
    }
  }
}
