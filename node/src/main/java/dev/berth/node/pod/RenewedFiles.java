package dev.berth.node.pod;

import dev.berth.kube.api.ApiException;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.event.Notice;
import dev.berth.kube.model.Pod;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.time.Time;
import dev.berth.linux.sys.LinuxException;
import dev.berth.node.pod.local.LocalState;
import dev.berth.node.pod.start.Assembly;
import dev.berth.node.pod.start.UnusableException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Brings the files of pods' volumes up to date, and disturbs nothing else of the pod.
record RenewedFiles(Assembly assembly, LocalState local, EventRecorder events, Time time) {
  private static final Logger log = LoggerFactory.getLogger(RenewedFiles.class);

  /// What cannot be read or written keeps its old content: the containers run on, and so do the
  /// pod's own times, which a pause before the next try would hold up. It is tried again in a
  /// minute, also after a mistake, which the loop tells.
  void renew(Pod pod) {
    try {
      assembly.renew(pod);
    } catch (UnusableException | ApiException failure) {
      tell(pod, String.valueOf(failure.getMessage()));
    } catch (IOException
        | UncheckedIOException
        | DirectoryIteratorException
        | LinuxException failure) {
      log.warn(
          "the files of the volumes of {} stay as they are: {}", pod.ref(), failure.toString());
      tell(pod, Unplaced.why(failure));
    } finally {
      local.change(here -> here.renewed(pod.meta().uid(), time.now()));
    }
  }

  private void tell(Pod pod, String why) {
    events.tell(
        Notice.warning(
            pod.ref(),
            Reasons.FAILED_MOUNT,
            "the files of the pod's volumes stay as they are: " + why));
  }
}
