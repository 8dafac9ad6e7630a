/// Says of each PodDisruptionBudget how many pods may go now (API-118): the eviction subresource
/// believes it, and nobody else writes it. Start at [Disruptions].
///
/// Always: what is allowed was counted for the budget as it is (`observedGeneration`), and pods
/// that were let go count as gone until they are (`BudgetKeeperTest`). Whoever asks for an eviction
/// learns from it alone (`DisruptionsTest`).
@NullMarked
package dev.berth.controller.disruption;

import org.jspecify.annotations.NullMarked;
