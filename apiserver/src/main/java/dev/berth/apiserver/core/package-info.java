/// The API server as a pure state machine (spec/apiserver.md): state and request in; state, answer
/// and watch events out. Start at [Core]; what it is asked and answers is in `message`, what it
/// works on in `state`, what it knows of each kind in `kind`.
///
/// Never: a thread, a clock, a disk, a socket or a random number that was not passed in
/// (`AbsencesArchitectureTest`). What takes time and what lasts is `dev.berth.apiserver`'s.
///
/// Deliberately absent: conversion between versions.
@NullMarked
package dev.berth.apiserver.core;

import org.jspecify.annotations.NullMarked;
