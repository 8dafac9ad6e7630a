package dev.berth.linux.namespace;

import dev.berth.linux.sys.Descriptor;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.sys.OwnThread;
import dev.berth.linux.sys.SystemCall;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;

/// A thread that left the mounts, the host name, the working directory and the umask of this
/// process behind and has its own. What is run on it sees its mounts, with java.nio, with `Mounts`
/// and in processes that it starts.
///
/// Its name space lives until [#close], and on in processes that entered it by then. If this
/// process is killed, both are gone at once.
public final class NamespaceThread implements AutoCloseable {
  private static final long CLONE_FS = 0x200;
  private static final long CLONE_NEWNS = 0x20000;
  private static final long CLONE_NEWUTS = 0x4000000;
  private static final long MNT_DETACH = 2;

  private final LinkedBlockingQueue<FutureTask<?>> work = new LinkedBlockingQueue<>();
  private final OwnThread thread;
  private final long id;
  private boolean open = true; // only the thread itself reads and writes it

  private NamespaceThread(String name) {
    this.thread = new OwnThread(name, this::runUntilClosed);
    thread.start();
    this.id = call(() -> SystemCall.GETTID.invoke());
  }

  /// A thread with a copy of the present mounts. The copies are still peers of the originals; make
  /// them slaves or private before mounting anything.
  public static NamespaceThread withOwnMounts(String name) {
    var thread = new NamespaceThread(name);
    try {
      thread.run(() ->
          SystemCall.UNSHARE.orThrow(
              () -> "leave the mount name space of this process",
              CLONE_FS | CLONE_NEWNS | CLONE_NEWUTS));
      return thread;
    } catch (RuntimeException refused) {
      thread.close();
      throw refused;
    }
  }

  /// A thread inside the mounts of another process.
  ///
  /// @param namespace such as `/proc/123/ns/mnt`
  public static NamespaceThread inside(Path namespace) {
    var thread = new NamespaceThread("inside-" + namespace);
    try {
      thread.run(() -> {
        SystemCall.UNSHARE.orThrow(() -> "leave the root of this process", CLONE_FS);
        try (var open = Descriptor.open(namespace, Descriptor.O_RDONLY)) {
          SystemCall.SETNS.orThrow(() -> "enter " + namespace, open.number(), CLONE_NEWNS);
        }
      });
      return thread;
    } catch (RuntimeException refused) {
      thread.close();
      throw refused;
    }
  }

  /// Runs `task` on the thread and waits for it, also while being interrupted.
  public <T> T call(Supplier<T> task) {
    var future = new FutureTask<T>(task::get);
    work.add(future);
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return future.get();
        } catch (InterruptedException _) {
          interrupted = true;
        }
      }
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof Error error) throw error;
      throw (RuntimeException) failed.getCause(); // a Supplier throws no checked exception
    } finally {
      if (interrupted) Thread.currentThread().interrupt();
    }
  }

  /// [#call] for work without a result.
  public void run(Runnable task) {
    Boolean _ =
        call(() -> {
          task.run();
          return true;
        });
  }

  /// The thread's mount name space, for others to enter while the thread is there.
  public Path mountNamespace() {
    return own("mnt");
  }

  /// The thread's host name.
  public Path hostNamespace() {
    return own("uts");
  }

  /// Gives the name space a host name of its own.
  public void setHostName(String name) {
    var bytes = name.getBytes(StandardCharsets.UTF_8);
    run(() -> {
      try (var arena = Arena.ofConfined()) {
        SystemCall.SETHOSTNAME.orThrow(
            () -> "set the host name " + name, arena.allocateFrom(name).address(), bytes.length);
      }
    });
  }

  /// What the thread creates gets exactly the mode that is asked for.
  public void clearUmask() {
    run(() -> SystemCall.UMASK.invoke(0));
  }

  /// Makes `root`, a mount point, the root of the name space and lets go of everything else that
  /// was mounted in it. From then on the thread cannot open what only the old root had, classes
  /// included: nothing may run on it afterwards.
  public void pivotInto(Path root) {
    long result = call(() -> pivotHere(root));
    if (result < 0) throw new LinuxException("pivot into " + root, Failure.of(result));
  }

  /// Ends the thread.
  @Override
  public void close() {
    work.add(new FutureTask<>(() -> open = false));
  }

  /// The old root ends up below the new one at the same place and is taken away there, so no
  /// directory is needed for it.
  private static long pivotHere(Path root) {
    try (var arena = Arena.ofConfined()) {
      long here = arena.allocateFrom(".").address();
      long result = SystemCall.CHDIR.invoke(arena.allocateFrom(root.toString()).address());
      if (result >= 0) result = SystemCall.PIVOT_ROOT.invoke(here, here);
      if (result >= 0) result = SystemCall.UMOUNT2.invoke(here, MNT_DETACH);
      if (result >= 0) result = SystemCall.CHDIR.invoke(arena.allocateFrom("/").address());
      return result;
    }
  }

  private Path own(String kind) {
    return Path.of("/proc/" + ProcessHandle.current().pid() + "/task/" + id + "/ns/" + kind);
  }

  private void runUntilClosed() {
    try {
      while (open) work.take().run();
    } catch (InterruptedException _) {
      // nobody interrupts it but the end of the process
    }
  }
}
