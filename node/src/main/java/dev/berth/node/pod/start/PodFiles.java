package dev.berth.node.pod.start;

import dev.berth.kube.object.Meta;
import dev.berth.node.runtime.ContainerId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/// A pod's directories, and the volumes in them that need no storage driver. A simulation keeps
/// them in memory. Every method may be repeated after a failure or a crash.
public interface PodFiles {
  /// Uids of all pods that have directories, before anything runs.
  Set<String> pods() throws IOException;

  /// Makes the pod's directories.
  void make(String podUid) throws IOException;

  /// An empty directory that lives as long as the pod.
  ///
  /// @param inMemory whether it is a file system in memory
  /// @param sizeLimit in bytes, kept in memory only; empty: none
  /// @param group to which it belongs
  Path emptyDir(
      String podUid, String name, boolean inMemory, OptionalLong sizeLimit, OptionalInt group)
      throws IOException;

  /// A directory that shows an object's content: all of it, or what was there before (NRUN-05).
  ///
  /// @param plugin such as `kubernetes.io/configmap`
  /// @param secret whether no disk may see it
  /// @param group to which the files belong
  Path content(
      String podUid,
      String plugin,
      String name,
      boolean secret,
      List<ContentFile> files,
      OptionalInt group)
      throws IOException;

  /// A place of the machine, made or only checked as `type` says.
  ///
  /// @param type `DirectoryOrCreate`, `File`, …; empty: it is taken as it is
  /// @throws UnusableException if it is not what `type` says
  Path hostPath(String path, String type) throws IOException, UnusableException;

  /// What the machine's `/etc/hosts` says; an empty text: it has none.
  String machineHosts() throws IOException;

  /// A file of the pod with this text, which its containers have at `/etc/hosts`.
  Path hosts(String podUid, String text) throws IOException;

  /// Whether a container that sees this place of the machine sees volumes of other pods.
  boolean holdsVolumes(Path hostPath);

  /// A part of a volume, opened safely ([dev.berth.node.volume.disk.SubPaths]).
  ///
  /// @param index of the entry in the container's `volumeMounts`
  Path part(String podUid, String container, int index, MountedVolume volume, String subPath)
      throws IOException, UnusableException;

  /// The log of one run; its directory is made.
  Path log(Meta pod, ContainerId run) throws IOException;

  /// Removes the log of a run that is forgotten.
  void removeLog(Meta pod, ContainerId run) throws IOException;

  /// Unmounts what the agent itself has mounted for the pod: parts of volumes, and directories in
  /// memory, whose content is lost.
  void unmount(String podUid) throws IOException;

  /// Removes all that is left of the pod, its logs included. Its CSI volumes are gone already, its
  /// containers too.
  ///
  /// @throws IOException if something is still mounted below, or not known: nothing of a volume was
  ///   removed then (NCLN-03)
  void remove(String podUid) throws IOException;
}
