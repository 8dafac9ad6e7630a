package dev.berth.driver.spi;

import dev.berth.driver.model.GroupSnapshot;
import dev.berth.driver.model.Secrets;
import dev.berth.driver.model.Volume;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Snapshots of several volumes at one moment: CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT. Needs
/// [Snapshots].
public interface GroupSnapshots {
  Optional<GroupSnapshot> groupNamed(String name) throws IOException;

  Optional<GroupSnapshot> group(String id) throws IOException;

  /// Cuts all in write order: no member holds a write that came after one that another lacks.
  GroupSnapshot cutGroup(
      String name, List<Volume> sources, Map<String, String> parameters, Secrets secrets)
      throws IOException;

  /// Removes the group and all members.
  void deleteGroup(GroupSnapshot group, Secrets secrets) throws IOException;
}
