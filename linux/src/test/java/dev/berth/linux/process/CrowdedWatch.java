package dev.berth.linux.process;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// A process that watches more others than it may have open files.
final class CrowdedWatch {
  private static final int PROCESSES = 60;

  private CrowdedWatch() {}

  /// Says `told` for each end that it was told of.
  public static void main(String[] arguments) throws Exception {
    var watch = new ProcessWatch();
    var processes = new ArrayList<Process>();
    var ends = new ArrayList<CountDownLatch>();
    for (int i = 0; i < PROCESSES; i++) {
      var process = new ProcessBuilder("sleep", "100").start();
      var end = new CountDownLatch(1);
      processes.add(process);
      ends.add(end);
      watch.watch(ProcessIdentity.of((int) process.pid()).orElseThrow(), end::countDown);
    }
    try {
      kill(processes, ends, 0);
      var self = Long.toString(ProcessHandle.current().pid());
      new ProcessBuilder("prlimit", "--pid", self, "--nofile=40:").start().waitFor();
      for (int i = 1; i < 4; i++) kill(processes, ends, i);
    } finally {
      processes.forEach(Process::destroyForcibly);
    }
    System.exit(0);
  }

  private static void kill(List<Process> processes, List<CountDownLatch> ends, int index)
      throws InterruptedException {
    processes.get(index).destroyForcibly();
    System.out.println(ends.get(index).await(10, TimeUnit.SECONDS) ? "told" : "not told");
  }
}
