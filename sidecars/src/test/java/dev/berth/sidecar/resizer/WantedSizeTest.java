package dev.berth.sidecar.resizer;

import static dev.berth.sidecar.resizer.Growing.CLAIM;
import static dev.berth.sidecar.resizer.Growing.condition;
import static dev.berth.sidecar.resizer.Growing.large;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.model.Kinds;
import dev.berth.kube.value.Quantity;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which size is asked for next: RSZ-30 and RSZ-31, a row each. The claim has 1Gi.
class WantedSizeTest {
  private static final String ROWS =
      """
      # volume, asked, stage,                      allocated, conditions,              controller, node
      # the volume is smaller than the claim asks for (RSZ-30)
      1Gi, 3Gi, '',                         '',  '',                             3Gi, 3Gi
      1Gi, 3Gi, '',                         2Gi, '',                             3Gi, 3Gi
      1Gi, 3Gi, ControllerResizeInProgress, 2Gi, Resizing:,                      2Gi, 2Gi
      1Gi, 3Gi, ControllerResizeInProgress, 5Gi, Resizing:,                      5Gi, 5Gi
      1Gi, 3Gi, ControllerResizeInProgress, '',  Resizing:,                      3Gi, 3Gi
      1Gi, 3Gi, ControllerResizeInProgress, 5Gi, Resizing:WaitingForRetry,       3Gi, 3Gi
      1Gi, 3Gi, ControllerResizeInProgress, 5Gi, Resizing:VolumeInUse,           3Gi, 3Gi
      1Gi, 3Gi, ControllerResizeInProgress, 5Gi, ControllerResizeError:,         5Gi, 5Gi
      1Gi, 3Gi, ControllerResizeInfeasible, 5Gi, Resizing:WaitingForRetry,       3Gi, 3Gi
      1Gi, 3Gi, ControllerResizeInfeasible, 5Gi, Resizing:,                      5Gi, 5Gi
      1Gi, 3Gi, ControllerResizeInfeasible, 5Gi, ControllerResizeError:,         3Gi, 3Gi
      2Gi, 3Gi, NodeResizePending,          2Gi, FileSystemResizePending:,       -,   -
      2Gi, 3Gi, NodeResizeInProgress,       2Gi, FileSystemResizePending:,       -,   -
      1Gi, 3Gi, NodeResizePending,          2Gi, '',                             2Gi, 2Gi
      1Gi, 3Gi, NodeResizePending,          '',  '',                             3Gi, 3Gi
      2Gi, 3Gi, NodeResizeInfeasible,       2Gi, '',                             2Gi, 2Gi
      # the volume is as large as the claim asks for (RSZ-31)
      3Gi, 2Gi, NodeResizePending,          3Gi, '',                             -,   -
      3Gi, 2Gi, NodeResizeInProgress,       3Gi, '',                             -,   -
      3Gi, 2Gi, NodeResizeInfeasible,       3Gi, '',                             3Gi, 2Gi
      3Gi, 2Gi, ControllerResizeInProgress, 3Gi, Resizing:WaitingForRetry,       3Gi, 3Gi
      3Gi, 2Gi, ControllerResizeInfeasible, 3Gi, '',                             3Gi, 3Gi
      3Gi, 2Gi, ControllerResizeInProgress, '',  '',                             2Gi, 2Gi
      3Gi, 2Gi, '',                         3Gi, '',                             3Gi, 3Gi
      3Gi, 2Gi, '',                         '',  '',                             2Gi, 2Gi
      3Gi, 2Gi, '',                         '',  FileSystemResizePending:,       -,   -
      3Gi, 2Gi, ControllerResizeFailed,     3Gi, FileSystemResizePending:,       -,   -
      """;

  @ParameterizedTest(name = "{0} for {1}, {2}, {3}, {4}")
  @CsvSource(textBlock = ROWS)
  void isWhatWasBegunIfItsOutcomeIsNotKnownAndElseWhatIsAskedFor( // RSZ-30, RSZ-31, RSZ-32, RSZ-55
      String volume,
      String asked,
      String stage,
      String allocated,
      String conditions,
      String controller,
      String node) {
    var list = new ArrayList<Map<String, String>>();
    if (!conditions.isEmpty()) {
      var parts = conditions.split(":", -1);
      list.add(condition(parts[0], parts[1]));
    }
    var claim =
        CLAIM
            .with(asked, "spec", "resources", "requests", "storage")
            .with(list, "status", "conditions");
    if (!stage.isEmpty())
      claim = claim.with(Map.of("storage", stage), "status", "allocatedResourceStatuses");
    if (!allocated.isEmpty())
      claim = claim.with(Map.of("storage", allocated), "status", "allocatedResources");
    var seen = claim.as(Kinds.CLAIM);
    var pv = large(volume).as(Kinds.VOLUME);

    assertThat(new WantedSize(Reach.CONTROLLER).of(seen, pv)).isEqualTo(size(controller));
    assertThat(new WantedSize(Reach.NODE).of(seen, pv)).isEqualTo(size(node));
  }

  private static Optional<Quantity> size(String text) {
    return text.equals("-") ? Optional.empty() : Optional.of(Quantity.parse(text));
  }
}
