package dev.berth.linux.process;

import dev.berth.linux.sys.Descriptor;
import dev.berth.linux.sys.Errno;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.sys.SystemCall;
import java.util.Optional;

/// A hold on one process: nobody else can get its number while the hold lasts.
public final class ProcessDescriptor implements AutoCloseable {
  private final ProcessIdentity process;
  private final Descriptor pidfd;

  private ProcessDescriptor(ProcessIdentity process, Descriptor pidfd) {
    this.process = process;
    this.pidfd = pidfd;
  }

  /// Takes hold of a process; empty: it has ended.
  public static Optional<ProcessDescriptor> open(ProcessIdentity process) {
    long result = SystemCall.PIDFD_OPEN.invoke(process.pid(), 0);
    if (Errno.of(result) == Errno.ESRCH) return Optional.empty();
    if (result < 0)
      throw new LinuxException("take hold of process " + process.pid(), Failure.of(result));
    var pidfd = new Descriptor(result);
    if (process.isAlive()) return Optional.of(new ProcessDescriptor(process, pidfd));
    pidfd.close(); // a stranger with the same number
    return Optional.empty();
  }

  /// Sends a signal. To a process that has ended: nothing happens.
  public void send(Signal signal) {
    long result = SystemCall.PIDFD_SEND_SIGNAL.invoke(pidfd.number(), signal.number(), 0, 0);
    if (result < 0 && Errno.of(result) != Errno.ESRCH)
      throw new LinuxException("send " + signal + " to " + process.pid(), Failure.of(result));
  }

  /// Becomes readable for poll(2) when the process ends.
  int number() {
    return pidfd.number();
  }

  @Override
  public void close() {
    pidfd.close();
  }
}
