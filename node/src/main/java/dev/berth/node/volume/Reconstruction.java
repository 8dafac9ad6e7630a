package dev.berth.node.volume;

import dev.berth.node.volume.VolumeFiles.Trace;
import dev.berth.node.volume.state.Actual;
import dev.berth.node.volume.state.Publication;
import dev.berth.node.volume.state.Staging;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What an agent knows when it starts: the notes of earlier agents, all of them uncertain, whether
/// or not a pod wants the volumes (NREC-01, NREC-08). Only whose a mount is comes from a note,
/// never how to make it (NREC-02). Decisions then do again what is wanted and undo what is not
/// (NREC-04).
public final class Reconstruction {
  private static final Logger log = LoggerFactory.getLogger(Reconstruction.class);

  private Reconstruction() {}

  public static Actual from(VolumeFiles files) throws IOException {
    var actual = Actual.NOTHING;
    for (var trace : files.traces()) actual = with(actual, trace);
    return actual;
  }

  private static Actual with(Actual actual, Trace trace) {
    return switch (trace) {
      case Trace.Staged(var name, var group, var form) ->
          actual.with(actual.volume(name).with(form).with(new Staging.Uncertain(true, group)));
      case Trace.Published(var name, var podUid, var spec, var form) ->
          actual.with(
              actual.volume(name).with(form).with(podUid, new Publication.Uncertain(spec, true)));
      case Trace.Unreadable(var note, var why) -> {
        log.warn(
            "{} cannot be read ({}): what is mounted beside it stays mounted; unmount it by hand,"
                + " then remove the note",
            note,
            why);
        yield actual;
      }
      case Trace.Lost(var mount, var note, var why) -> {
        log.warn(
            "{} cannot be read ({}): volume {} counts as in use, and pods that have it stay, until"
                + " its PersistentVolume, its pod or its note says whose it is",
            note,
            why,
            mount.text());
        yield actual.lose(mount);
      }
    };
  }
}
