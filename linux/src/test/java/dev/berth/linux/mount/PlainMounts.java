package dev.berth.linux.mount;

import java.io.IOException;

/// A process that prints devices and targets of the mount table that it is given.
final class PlainMounts {
  private PlainMounts() {}

  public static void main(String[] arguments) throws IOException {
    for (var mount : MountTable.parse(System.in.readAllBytes()).entries())
      System.out.println(mount.device() + " " + mount.target());
  }
}
