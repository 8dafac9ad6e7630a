package dev.berth.linux.sys;

/// A platform thread that exists for one piece of work and may block in it: calls made on it stay
/// on it. Needed where the thread itself is the point, as for name spaces (SYS-19).
public final class OwnThread extends Thread {
  public OwnThread(String name, Runnable work) {
    super(null, work, name);
    setDaemon(true);
  }
}
